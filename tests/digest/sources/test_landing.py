"""When a commit reached the default branch."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from digest.ports import Seen
from digest.sources.landing import Landing, Node, landings

START = datetime(2026, 2, 1, tzinfo=UTC)
NOW = START + timedelta(days=300)


def day(number: int) -> datetime:
    return START + timedelta(days=number)


def node(sha: str, at: datetime, *parents: str) -> Node:
    return Node(sha, parents, at)


def test_a_date_in_the_future_is_lands_with_its_successor_and_moves_nobody_else() -> None:
    nodes = [
        node("a", day(1)),
        node("b", NOW + timedelta(days=9000), "a"),
        node("c", day(2), "b"),
    ]
    landed = landings(nodes, "c", NOW)
    assert [landed[sha].at for sha in "abc"] == [day(1), day(2), day(2)]


@st.composite
def histories(draw: st.DrawFn) -> list[Node]:
    size = draw(st.integers(min_value=1, max_value=30))
    nodes = []
    for index in range(size):
        parents = draw(
            st.lists(st.integers(0, index - 1), unique=True, max_size=4) if index else st.just([])
        )
        at = START + timedelta(hours=draw(st.integers(-1000, 7000)))
        nodes.append(Node(str(index), tuple(str(parent) for parent in parents), at))
    return nodes


def reachable(nodes: list[Node], tip: str) -> set[str]:
    found, waiting = set(), [tip]
    while waiting:
        sha = waiting.pop()
        if sha not in found:
            found.add(sha)
            waiting.extend(nodes[int(sha)].parents)
    return found


@given(histories())
def test_every_reachable_commit_lands_exactly_once_in_falling_order_never(
    nodes: list[Node],
) -> None:
    tip = nodes[-1].sha
    landed = landings(nodes, tip, NOW)
    assert set(landed) == reachable(nodes, tip)
    moments = [landing.at for landing in landed.values()]
    assert moments == sorted(moments)


@given(histories())
def test_a_commit_lands_when_the_first_of_the_chain_that_reaches_it_did(
    nodes: list[Node],
) -> None:
    chain, sha = [], nodes[-1].sha
    while True:
        chain.append(sha)
        if not nodes[int(sha)].parents:
            break
        sha = nodes[int(sha)].parents[0]
    landed = landings(nodes, nodes[-1].sha, NOW)
    told: set[str] = set()
    latest = datetime.min.replace(tzinfo=UTC)
    for by in reversed(chain):
        latest = max(latest, nodes[int(by)].committed_at)
        new = reachable(nodes, by) - told
        assert {landed[sha] for sha in new} == {Landing(latest, by)}
        told |= new


@given(histories(), st.integers(1, 29))
def test_a_longer_history_never_changes_what_has_landed(nodes: list[Node], cut: int) -> None:
    line = [
        Node(item.sha, (str(index - 1), *item.parents) if index else (), item.committed_at)
        for index, item in enumerate(nodes)
    ]
    earlier = line[:cut]
    before = landings(earlier, earlier[-1].sha, NOW)
    after = landings(line, line[-1].sha, NOW)
    assert all(after[sha] == landing for sha, landing in before.items())


def test_what_is_pushed_long_after_it_was_made_lands_when_it_could_be_seen() -> None:
    def at(day: int, hour: int) -> datetime:
        return datetime(2026, 2, day, hour, tzinfo=UTC)

    nodes = [
        Node("a", (), at(1, 9)),
        Node("b", ("a",), at(3, 8)),
        Node("c", ("b",), at(3, 20)),
        Node("d", ("c",), at(5, 9)),
    ]

    def landed(*seen: Seen) -> list[datetime]:
        return [landing.at for landing in landings(nodes, "d", at(6, 9), seen).values()]

    assert landed() == [at(1, 9), at(3, 8), at(3, 20), at(5, 9)]
    assert landed(Seen("main", "a", at(4, 9))) == [at(1, 9), at(4, 9), at(4, 9), at(5, 9)]
    assert landed(Seen("main", "c", at(4, 9)))[:3] == [at(1, 9), at(3, 8), at(3, 20)]
    assert landed(Seen("main", "a", at(7, 9))) == landed(), "a clock that ran ahead"
    assert landed(Seen("main", "gone", at(4, 9))) == landed()
    both = Seen("main", "b", at(4, 12)), Seen("main", "a", at(4, 9))
    assert landed(*both) == [at(1, 9), at(4, 9), at(4, 12), at(5, 9)]
    again = Seen("main", "a", at(4, 9)), Seen("main", "a", at(4, 12))
    assert landed(*again)[1] == at(4, 12), "it was not there at the later look either"
