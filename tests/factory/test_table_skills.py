"""Claims about tables are labelled by what the table holds, and shown with what it says."""

from feverfew.factory.skills.tables import Grid, table_examples

RIVERS = Grid(
    "Rivers of the north",
    [
        ["River", "Country", "Length (km)", "Discharge"],
        ["Tana", "Norway", "361", "203"],
        ["Glomma", "Norway", "604", "709"],
        ["Torne", "Sweden", "522", "388"],
        ["Kemi", "Finland", "550", "556"],
        ["Oulu", "Finland", "107", "259"],
        ["Dal", "Sweden", "541", "353"],
    ],
)
PEAKS = Grid(
    "Peaks",
    [
        ["Peak", "Prominence"],
        *([f"Mount {c}{c}a", str(900 + 37 * n)] for n, c in enumerate("BCDFG")),
    ],
)


def test_labels_follow_from_the_table() -> None:
    made = [
        example
        for seed in range(40)
        for example in table_examples([PEAKS, RIVERS], seed)
        if "rivers" in example.evidence[0][1].casefold()
    ]
    assert {example.label for example in made} == {"S", "R", "N"}
    lengths = {row[0]: int(row[2]) for row in RIVERS.rows[1:]}
    compared = 0
    for one in made:
        for name, length in lengths.items():
            if one.claim.startswith(f"{name} has the highest length"):
                compared += 1
                assert one.label == ("S" if length == max(lengths.values()) else "R")
            if one.claim == f"{name}'s length (km) is {length}.":
                compared += 1
                assert one.label == "S"
    assert compared > 3


def test_what_another_table_tells_is_left_open() -> None:
    made = [e for seed in range(40) for e in table_examples([PEAKS, RIVERS], seed)]
    rivers = [row[0] for row in RIVERS.rows[1:]]
    asked = [e for e in made if "prominence" in e.claim and any(r in e.claim for r in rivers)]
    assert asked
    assert {e.label for e in asked} == {"N"}


def test_the_same_seed_makes_the_same() -> None:
    first, second = (list(table_examples([PEAKS, RIVERS], 3)) for _ in range(2))
    assert first == second
