from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from feverfew.errors import BadRecord
from feverfew.readers.base import Record, Source
from feverfew.readers.documents.reader import Documents
from feverfew.types import ItemList, Link, Page, Section, Sentence, Table


def page(text: str, name: str = "travel/policy.md") -> Page:
    found = Documents().parse(Record(text.encode(), 1), Source(Path(name), name))
    assert isinstance(found, Page)
    return found


def texts(found: Page) -> list[str]:
    return [text for _, text in found.elements()][1:]


def test_markdown_is_read_in_order() -> None:
    found = page(
        "# Travel\n\nWe pay for *train* [tickets](../trains.md#second).\nFlights are rare.\n\n"
        "## Rules\n\n- ask `Ann`\n    - twice\n- go\n\n1. one\n\n"
        "| City | Cost |\n|---|---:|\n| [Bern](bern.md) | 1,000 |\n"
    )
    assert found.blocks[:4] == (
        Section(0, "Travel", 1),
        Sentence(0, "We pay for train tickets.", (Link("trains.md", "tickets"),)),
        Sentence(1, "Flights are rare."),
        Section(1, "Rules", 2),
    )
    bullets, numbers, table = found.blocks[4:]
    assert isinstance(bullets, ItemList)
    assert [(i.text, i.level) for i in bullets.items] == [("ask Ann", 0), ("twice", 1), ("go", 0)]
    assert isinstance(numbers, ItemList)
    assert numbers.ordered
    assert isinstance(table, Table)
    assert [[(c.text, c.header) for c in row] for row in table.rows] == [
        [("City", True), ("Cost", True)],
        [("Bern", False), ("1,000", False)],
    ]
    assert table.rows[1][0].links == (Link("travel/bern.md", "Bern"),)


def test_links_lead_to_the_other_pages_title() -> None:
    found = page("[b](b.md) [web](https://example.org/#x) [here](#rules)")
    assert [link.target for _, link in found.links()] == ["travel/b.md", "https://example.org/"]
    assert page("x", "travel/b.md").title == "travel/b.md"


def test_front_matter_gives_the_title_and_no_text() -> None:
    found = page('---\ntitle: "Our Travel"\ntags:\n  - a\n---\n# Trips\n\nText.\n')
    assert found.aliases == ("Our Travel", "Trips", "policy")
    assert texts(found) == ["Trips", "Text."]
    assert page("+++\ntitle = 'T'\n+++\nText.").aliases == ("T", "policy")


def test_a_rule_at_the_top_is_not_front_matter() -> None:
    assert texts(page("---\nFirst words here.\n\n---\n\nText.")) == ["First words here.", "Text."]


def test_code_is_kept_a_sentence_a_line() -> None:
    found = page("```yaml\nport: 80\n\nhost: a\n```\n\n    indented\n")
    assert texts(found) == ["port: 80", "host: a", "indented"]


def test_html_within_markdown_is_read_too() -> None:
    found = page("<details><summary>More</summary>\n\nHidden *here*.\n\n</details>\n\na<br>b\n")
    assert texts(found) == ["More", "Hidden here.", "a b"]


def test_tangled_or_huge_markdown_is_read_as_plain_text() -> None:
    assert texts(page("[" * 300_000)) == ["[" * 300_000]
    assert texts(page("*a*\n\n" + "[" * 30)) == ["*a*", "[" * 30]


def test_deep_lists_keep_their_levels() -> None:
    lines = "\n".join(f"{'  ' * depth}- item {depth}" for depth in range(20))
    (items,) = page(lines).blocks
    assert isinstance(items, ItemList)
    assert [item.level for item in items.items] == list(range(20))


MARKS = (
    "# - * 1. > | |-| ``` ` [ ] ( ) ![ <a> <div> </div> --- +++ _ ** ~~ \\ \n \n\n title: & A. ]: é"
)


@given(st.lists(st.sampled_from(MARKS.split(" ")) | st.text(max_size=4), max_size=40).map(" ".join))
def test_anything_like_markdown_gives_a_page_or_a_reason(text: str) -> None:
    try:
        found = page(text)
    except BadRecord:
        return
    assert found == page(text)
    addresses = [str(ref) for ref, _ in found.elements()]
    assert len(addresses) == len(set(addresses))
