from feverfew.readers.mediawiki.wikitext import read_wikitext
from feverfew.types import Cell, Link, Page, Sentence, Table


def tables(text: str) -> tuple[Table, ...]:
    return Page("P", read_wikitext(text).blocks).tables


def table(text: str) -> Table:
    (found,) = tables(text)
    return found


def texts(found: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in found.rows]


FILMS = """
{| class="wikitable sortable"
|+ style="color:red" | The ''films''
! rowspan="2" | Year !! colspan=2 scope="col" | Sales
|-
! Home
! Abroad
|- style="background: #fff"
! scope="row" rowspan=2 | 1927
| 3 || [[Weimar Republic|4]]
|-
| 5
| {{N/A}}
|}
Behind.
"""


def test_spans_and_two_levels_of_headers() -> None:
    found = table(FILMS)
    assert found.caption == "The films"
    assert not found.infobox
    assert found.rows == (
        (Cell(0, 0, "Year", True, row_span=2), Cell(0, 1, "Sales", True, column_span=2)),
        (Cell(1, 1, "Home", True), Cell(1, 2, "Abroad", True)),
        (
            Cell(2, 0, "1927", True, row_span=2),
            Cell(2, 1, "3"),
            Cell(2, 2, "4", links=(Link("Weimar Republic", "4"),)),
        ),
        (Cell(3, 1, "5"), Cell(3, 2, "N/A")),
    )


def test_text_goes_on_behind_a_table() -> None:
    assert read_wikitext(FILMS).blocks[-1] == Sentence(0, "Behind.")


def test_cells_over_several_lines() -> None:
    found = table("{|\n|\n* a\n* [[b]]\n| c<br>d<br />(e)\n! f<br/>g\n| ''h''<ref>x</ref>\n|}")
    assert texts(found) == [["a, b", "c, d (e)", "f g", "h"]]


def test_attributes_without_a_bar_before_a_template() -> None:
    found = table('{|\n| bgcolor=white colspan="3" {{n/a}}\n| a=b\n|}')
    assert found.rows == ((Cell(0, 0, "N/A", column_span=3), Cell(0, 3, "a=b")),)


def test_a_cell_of_pictures_only_is_empty() -> None:
    found = table("{|\n| [[File:x.jpg|a|b]]<br>A\n| [[File:y.jpg]]\n|}")
    assert texts(found) == [["A", ""]]


def test_rows_without_cells_take_no_number() -> None:
    found = table("{|\n|-\n|-\n| a\n|-\n|-\n| b\n|}")
    assert [(cell.row, cell.text) for row in found.rows for cell in row] == [(0, "a"), (1, "b")]


def test_nested_tables_follow_the_outer_one() -> None:
    outer, inner = tables("{|\n| a\n{|\n| b\n|}\n| c\n|}\n")
    assert texts(outer) == [["a", "c"]]
    assert texts(inner) == [["b"]]


def test_a_frame_for_the_layout_leaves_only_what_it_holds() -> None:
    assert texts(table("{|\n|\n{|\n| b\n|}\n|}\n")) == [["b"]]


def test_an_unclosed_table_is_read() -> None:
    assert texts(table("{|\n| a\n|-\n| b")) == [["a"], ["b"]]


def test_an_html_table() -> None:
    found = table(
        "<table><caption>C</caption><tr><th rowspan='2'>a</th><td>b</td></tr>"
        "<tr><td>c</td></tr></table>"
    )
    assert found.caption == "C"
    assert found.rows == (
        (Cell(0, 0, "a", True, row_span=2), Cell(0, 1, "b")),
        (Cell(1, 1, "c"),),
    )


PERSON = """{{Infobox person
| name        = Fritz Lang
| image       = Lang.jpg
| image_size  = 200px
| caption     = In 1929
| birth_name  = Friedrich Lang
| birth_date  = {{birth date|1890|12|5}}
| birth_place = [[Vienna]],<br>[[Austria-Hungary]]<ref>x</ref>
| occupation  = {{ubl|Director|Writer}}
| spouse      =
| works       =
* ''[[Metropolis (1927 film)|Metropolis]]''
* ''[[M (1931 film)|M]]''
}}
'''Fritz Lang''' was a director.
"""


def test_an_infobox_is_a_table_of_labels_and_values() -> None:
    found, *rest = read_wikitext(PERSON).blocks
    assert rest == [Sentence(0, "Fritz Lang was a director.")]
    assert isinstance(found, Table)
    assert found.infobox
    assert found.rows[0] == (Cell(0, 0, "Fritz Lang", True, column_span=2),)
    assert texts(found)[1:] == [
        ["Birth name", "Friedrich Lang"],
        ["Birth date", "5 December 1890"],
        ["Birth place", "Vienna, Austria-Hungary"],
        ["Occupation", "Director, Writer"],
        ["Works", "Metropolis, M"],
    ]
    assert [cell.header for cell in found.rows[1]] == [True, False]
    assert found.rows[5][1].links == (
        Link("Metropolis (1927 film)", "Metropolis"),
        Link("M (1931 film)", "M"),
    )


def test_labels_that_are_values_themselves() -> None:
    found = table(
        "{{Infobox country|common_name=Aruba|leader_title1=Monarch|leader_name1=A B"
        "|established_event1=Status|established_date1=1986|area_km2=180"
        "|label2=Motto|data2=One|header3=More|blank_name=Code|blank_info=297}}"
    )
    assert texts(found) == [
        ["Aruba"],
        ["Monarch", "A B"],
        ["Status", "1986"],
        ["Area km²", "180"],
        ["Motto", "One"],
        ["More"],
        ["Code", "297"],
    ]


def test_an_infobox_within_another_adds_its_rows() -> None:
    found = table("{{Infobox person|name=A|module={{Infobox writer|embed=yes|genre=Prose}}|x=y}}")
    assert texts(found) == [["A"], ["X", "y"], ["Genre", "Prose"]]


def test_an_infobox_in_a_table_is_kept() -> None:
    outer, box = tables("{|\n| a {{Infobox x|name=N|b=c}}\n|}")
    assert texts(outer) == [["a"]]
    assert texts(box) == [["N"], ["B", "c"]]
    assert box.infobox


def test_a_table_in_an_infobox_does_not_break_it() -> None:
    found = table("{{Infobox x|name=N|a=\n{|\n| b=c || d\n|}\n|e=f}}")
    assert texts(found) == [["N"], ["E", "f"]]
