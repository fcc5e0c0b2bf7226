import xml.etree.ElementTree as ElementTree
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.render.plots import Bar, Bin, bars, heat_map, lines, reliability, risk_coverage
from feverfew.render.svg import number, ticks

SVG = "{http://www.w3.org/2000/svg}"


def parsed(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)


PLOTS: dict[str, Callable[[str], str]] = {
    "bars": lambda name: bars(name, [Bar(name, 0.5, 0.4, 0.6, name), Bar("b", -0.1)], axis=name),
    "lines": lambda name: lines(name, {name: [(0, 1), (1, 3)], "b": []}, x_label=name),
    "reliability": lambda name: reliability(name, [Bin(0.5, 0.4, 3), Bin(0.9, 1.0, 0)]),
    "risk": lambda name: risk_coverage(name, {name: [(0.5, 0.0), (1.0, 0.0)]}),
    "heat map": lambda name: heat_map(name, [name, "r"], [name], [[3], [0]]),
}


@pytest.mark.parametrize("draw", PLOTS.values(), ids=PLOTS)
@given(name=st.text(max_size=60))
def test_any_text_makes_a_valid_accessible_picture(draw: Callable[[str], str], name: str) -> None:
    root = parsed(draw(name))
    assert root.tag == f"{SVG}svg"
    assert root.attrib["role"] == "img"
    assert root[0].tag == f"{SVG}title"
    assert root[1].tag == f"{SVG}desc"
    assert root[1].text
    assert not root.findall(f".//{SVG}script")


@pytest.mark.parametrize("draw", PLOTS.values(), ids=PLOTS)
def test_markup_in_names_stays_text(draw: Callable[[str], str]) -> None:
    root = parsed(draw("<script>x</script>\"'&"))
    assert root[0].text == "<script>x</script>\"'&"


def test_a_bar_is_as_long_as_its_value() -> None:
    picture = parsed(bars("t", [Bar("half", 0.5), Bar("all", 1.0)]))
    half, whole = (float(r.attrib["width"]) for r in picture.findall(f"{SVG}rect"))
    assert whole == pytest.approx(2 * half, abs=0.02)


def test_a_negative_bar_ends_at_zero() -> None:
    down, up = parsed(bars("t", [Bar("down", -0.5), Bar("up", 0.5)])).findall(f"{SVG}rect")
    end = float(down.attrib["x"]) + float(down.attrib["width"])
    assert end == pytest.approx(float(up.attrib["x"]), abs=0.02)


def test_the_description_gives_the_numbers() -> None:
    said = parsed(bars("t", [Bar("FEVER@5", 0.61, 0.59, 0.63)]))[1].text
    assert said == "Bar chart. FEVER@5: 0.61 (0.59 to 0.63)."
    said = parsed(heat_map("t", ["S"], ["S", "R"], [[3, 1]]))[1].text
    assert said == "Table of gold by predicted. S: S 3, R 1."


def test_empty_bins_are_not_drawn() -> None:
    picture = parsed(reliability("t", [Bin(0.5, 0.4, 3), Bin(0.9, 1.0, 0)]))
    assert len(picture.findall(f"{SVG}circle")) == 1


def test_nothing_to_draw_is_still_a_picture() -> None:
    for picture in (bars("t", []), lines("t", {}), reliability("t", []), heat_map("t", [], [], [])):
        parsed(picture)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_refuses_what_cannot_be_drawn(value: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        bars("t", [Bar("x", value)])
    with pytest.raises(ValueError, match="finite"):
        lines("t", {"a": [(0, value)]})


def test_ticks_are_round_and_cover() -> None:
    assert ticks(0, 0.93) == [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert ticks(-0.2, 0.73) == [-0.2, 0, 0.2, 0.4, 0.6, 0.8]
    assert ticks(0, 25000) == [0, 5000, 10000, 15000, 20000, 25000]


@given(st.floats(-1e6, 1e6), st.floats(0, 1e6))
def test_ticks_cover_any_range(low: float, span: float) -> None:
    marks = ticks(low, low + span)
    assert marks[0] <= low + 1e-6 * max(1, abs(low))
    assert marks[-1] >= low + span - 1e-6 * max(1, abs(low + span))
    assert 2 <= len(marks) <= 8


def test_coordinates_are_short() -> None:
    assert [number(v) for v in (1.0, 2.345678, -0.001, 1000.0)] == ["1", "2.35", "0", "1000"]
