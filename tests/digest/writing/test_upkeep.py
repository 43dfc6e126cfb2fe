import pytest

from digest.grades import ChangeObject, Importance, Noise
from digest.models import FileChange
from digest.writing.upkeep import is_upkeep, upkeep
from tests.digest.writing.invented import judged, pull


@pytest.mark.parametrize(
    ("title", "path", "expected"),
    [
        ("[Benchmark] Ask at any heat in `kiln bench`", "kiln/benchmarks/ask.py", None),
        ("[Benchmark] Ask at any heat", "benchmarks/ask.py", Noise.TESTS),
        ("[Benchmark] Ask at any heat", "scripts/bench_ask.py", Noise.TESTS),
        ("[CI] Ask at any heat", "kiln/benchmarks/ask.py", Noise.CI),
    ],
)
def test_a_command_that_measures_is_no_test_where_users_have_it_with_the_program(
    title: str, path: str, expected: Noise | None
) -> None:
    change = pull(1, title, files=(FileChange(path, "modified", 3, 3, "@@ -1 +1 @@\n+a\n"),))
    read = judged(change, Importance.LOW, object=ChangeObject.BENCHMARK)
    assert upkeep(read) is expected
    assert is_upkeep(read)
