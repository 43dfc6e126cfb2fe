"""Days of every size and with every title, for what has to hold of all of them."""

from hypothesis import strategies as st

from digest.grades import Importance, Noise
from digest.models import Change, FileChange, Kind, Reading, ReadItem
from tests.digest.writing import invented
from tests.digest.writing.invented import issue, judged, note, pull, reading, release

titles = st.one_of(
    st.text(max_size=300),
    st.sampled_from(invented.HOSTILE_TITLES),
    st.text(alphabet="修复缓存&<>`*_", max_size=600),
)


@st.composite
def readings(draw: st.DrawFn) -> Reading:
    """Give a day of up to 500 items, at most six of them high, with upgrade notes of any text."""
    count = draw(st.integers(0, 500))
    pool = draw(st.lists(titles, min_size=1, max_size=12))
    seed = draw(st.randoms(use_true_random=False))
    items: list[ReadItem] = []
    high = 0
    for n in range(count):
        grade = seed.choice(list(Importance))
        if grade is Importance.HIGH and (high := high + 1) > 6:
            grade = Importance.LOW
        kind = seed.choice([Kind.PULL_REQUEST] * 6 + [Kind.ISSUE] * 2 + [Kind.RELEASE])
        title = seed.choice(pool)
        if kind is Kind.ISSUE:
            items.append(judged(issue(n + 1, title), grade))
        elif kind is Kind.RELEASE:
            items.append(judged(release(f"v{n}", title, title=title), grade))
        else:
            noise = seed.choice([None, *Noise]) if grade is Importance.LOW else None
            items.append(judged(pull(n + 1, title), grade, noise=noise, quote=title[:400]))
    notes = tuple(
        note("flag", "renamed", seed.choice(pool), read.item, before=seed.choice(pool), after="b")
        for read in items[: seed.randint(0, 150)]
    )
    order = [r for r in items if r.item.kind is not Kind.ISSUE]
    order += [r for r in items if r.item.kind is Kind.ISSUE]
    return reading(order, upgrade_notes=notes)


def huge_change() -> Change:
    """Give a change of 3,000 files with 250 upgrade notes."""
    files = tuple(
        FileChange(f"kiln/{n}/f{n}.py", "modified", 900, 0, patch="+a\n" * 900) for n in range(3000)
    )
    read = judged(pull(1, "Rebuild", files=files), Importance.HIGH)
    return Change(read, tuple(note("flag", "added", f"--flag-{n}", read.item) for n in range(250)))
