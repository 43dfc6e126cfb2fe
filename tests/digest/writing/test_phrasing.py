"""Templates are filled without two scripts of ours touching."""

from digest.writing.document import Foreign, Link, Words
from digest.writing.phrasing import fill, linked
from digest.writing.rules import plain


def test_a_space_stands_where_two_scripts_of_ours_meet() -> None:
    assert plain(fill("未能查看{what}：{why}。", what="Issue", why="x")) == "未能查看 Issue：x。"
    assert plain(fill("自{day}起", day="2月9日")) == "自 2月9日起"
    assert plain(fill("{what}未读", what="PR")) == "PR 未读"
    assert plain(fill("{a}{b}", a="合并", b="提交")) == "合并提交"
    assert plain(fill("not {what}.", what="seen")) == "not seen."


def test_what_strangers_wrote_is_filled_in_as_it_is() -> None:
    assert fill("见{what}。", what=Foreign("a题b")) == (Words("见"), Foreign("a题b"), Words("。"))


def test_known_references_of_a_text_are_links_and_its_other_evidence_follows() -> None:
    urls = {"#1": "https://x.example/1"}
    cites = [("#1", "https://x.example/1"), ("#2", "https://x.example/2")]
    assert linked("#1 takes back #9.", urls, cites) == (
        Link("#1", "https://x.example/1"),
        Foreign(" takes back #9."),
        Words(" "),
        Link("#2", "https://x.example/2"),
    )
    assert linked("", urls) == ()
