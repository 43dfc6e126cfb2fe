"""Whether a variable is new is asked of the whole tree, where a source has one."""

from digest.facts import FactChange, Subject
from digest.lookups import used_before, whole_files
from digest.models import Activity
from digest.reading.reader import files_wanted, read
from tests.digest.sources.git.workshop import REPO, Workshop, collected, source


async def _told(shop: Workshop, activity: Activity) -> dict[str, bool]:
    """Return the variables that a day is told to have got, and whether that is inferred."""
    asked = source(shop.folder)
    contents, _ = await whole_files(asked, REPO, files_wanted(activity), lambda _: None)
    had = await used_before(asked, REPO, activity.items)
    return {
        fact.name: fact.inferred
        for fact in read(activity, contents, had=had).facts
        if (fact.subject, fact.change) == (Subject.ENV, FactChange.ADDED)
    }


async def test_a_variable_that_a_file_outside_the_change_reads_is_not_new(shop: Workshop) -> None:
    shop.write("turbine/__init__.py", "")
    shop.write("turbine/logs.py", "import os\n\nLEVEL = os.environ.get('TURBINE_LEVEL', '0')\n")
    shop.write("turbine/heat.py", "TURBINE_HEAT_MODE = Setting(int, 1)\n")
    shop.write("turbine/help.py", "# os.environ['TURBINE_DEBUG']\nSAY = 'set TURBINE_SPEED=1'\n")
    shop("config", "grep.lineNumber", "true")
    shop("config", "color.grep", "always")
    shop.write("tests/test_pump.py", "os.environ['TURBINE_PUMP'] = '1'\n")
    shop.commit(2, "Begin")
    names = ("LEVEL", "HEAT_MODE", "DEBUG", "SPEED", "PUMP")
    reads = "".join(f"{one} = os.environ.get('TURBINE_{one}', '2')\n" for one in names)
    shop.write("turbine/pump.py", f"import os\n\n{reads}")
    shop.commit(3, "Pump harder")
    shop.write("turbine/valve.py", "import os\n\nA = os.environ.get('TURBINE_PUMP', '2')\n")
    shop.commit(3, "Open the valve")
    told = await _told(shop, await collected(shop, 3))
    assert told == {"TURBINE_DEBUG": False, "TURBINE_SPEED": False, "TURBINE_PUMP": False}


async def test_a_variable_that_goes_and_comes_back_is_neither_gone_nor_new(shop: Workshop) -> None:
    reads = "import os\n\nPUMP = os.environ.get('TURBINE_PUMP', '2')\n"
    shop.write("turbine/__init__.py", "")
    shop.write("turbine/pump.py", reads)
    shop.commit(2, "Begin")
    shop.write("turbine/pump.py", "PUMP = 2\n")
    shop.commit(3, "Pump as ever")
    shop.write("turbine/valve.py", reads)
    shop.commit(3, "Let the valve choose")
    activity = await collected(shop, 3)
    had = await used_before(source(shop.folder), REPO, activity.items)
    assert had == {"TURBINE_PUMP": True}
    contents, _ = await whole_files(
        source(shop.folder), REPO, files_wanted(activity), lambda _: None
    )
    assert not [f for f in read(activity, contents, had=had).facts if f.subject is Subject.ENV]


async def test_what_a_branch_begins_to_read_that_forked_earlier_is_held_against_main(
    shop: Workshop,
) -> None:
    reads = "import os\n\nPUMP = os.environ.get('TURBINE_LEVEL', '2')\n"
    shop.write("turbine/__init__.py", "")
    shop.commit(1, "Begin")
    shop("checkout", "-q", "-b", "valve")
    shop.write("turbine/valve.py", reads)
    shop.commit(1, "Let the valve choose")
    shop("checkout", "-q", "main")
    shop.write("turbine/pump.py", reads)
    shop.commit(2, "Let the pump choose")
    shop.merge(3, "Merge the valve", "valve")
    shop.write("turbine/lid.py", reads.replace("LEVEL", "LID"))
    shop.write("turbine/lids.py", "TURBINE_LID = 3\n")
    shop.commit(3, "Let the lid choose")
    assert await _told(shop, await collected(shop, 3)) == {"TURBINE_LID": False}


async def test_a_constant_of_its_name_is_no_variable(shop: Workshop) -> None:
    shop.write("turbine/__init__.py", "")
    shop.write("turbine/paths.py", "TURBINE_CACHE_DIR = 'cache'\n")
    shop.commit(2, "Begin")
    shop.write("turbine/pump.py", "import os\n\nA = os.environ.get('TURBINE_CACHE_DIR', '2')\n")
    shop.commit(3, "Choose the folder")
    assert await _told(shop, await collected(shop, 3)) == {"TURBINE_CACHE_DIR": False}


async def test_a_variable_is_new_as_far_as_is_seen_where_the_tree_cannot_be_searched(
    shop: Workshop,
) -> None:
    shop.write("turbine/__init__.py", "")
    shop.write("turbine/logs.py", "import os\n\nLEVEL = os.environ.get('TURBINE_LEVEL', '0')\n")
    shop.commit(2, "Begin")
    blob = shop("rev-parse", "HEAD:turbine/logs.py")
    shop.write("turbine/pump.py", "import os\n\nA = os.environ.get('TURBINE_LEVEL', '2')\n")
    shop.commit(3, "Pump harder")
    shop.write("turbine/other.py", "# TURBINE_LEVEL\n")
    (shop.folder / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    assert await _told(shop, await collected(shop, 3)) == {"TURBINE_LEVEL": True}
