from feverfew.tables.evidence import TableReader
from feverfew.tables.view import TableView

ENTITIES = ("Flood", "Earthquake", "Storm")
DISASTERS = TableView.of_rows(
    [
        ["Entity", "Year", "Deaths"],
        *(
            [entity, str(1950 + n), str(100 * n + 7 * at)]
            for at, entity in enumerate(ENTITIES)
            for n in range(40)
        ),
        ["Flood", "1931", "3700000"],
    ],
    title="disasters.csv",
)


def said(claim: str, view: TableView = DISASTERS) -> str:
    return TableReader.open().text(claim, view)


def test_a_row_is_shown_whole_with_the_cell_that_the_claim_does_not_have() -> None:
    assert "Entity is Earthquake, Year is 1976, Deaths is 2607." in said(
        "In 1976 earthquakes killed 5,000 people, by the disasters table."
    )


def test_both_rows_of_a_comparison_are_shown() -> None:
    text = said("In 1960 a storm caused more deaths than a flood.")
    assert "Entity is Storm, Year is 1960, Deaths is 1014." in text
    assert "Entity is Flood, Year is 1960, Deaths is 1000." in text


def test_extremes_are_computed_over_the_rows_that_are_meant() -> None:
    text = said("The deadliest year of a storm was 1989.")
    assert "The largest Deaths with Entity Storm is 3914 (Year 1989), then 3814 (Year 1988)" in text


def test_rows_are_counted_where_the_claim_counts() -> None:
    assert "The table has 40 rows with Entity Storm." in said("There are twelve storms.")
    assert "rows" not in said("The storm of 1960 was deadly.")


def test_totals_are_computed_where_the_claim_asks_for_them() -> None:
    rows = [["Shop", "Sales"], ["North", "1200"], ["South", "800"]]
    text = said("The shops sold 2,000 in total.", TableView.of_rows(rows))
    assert "The total Sales is 2000, the average 1000." in text


def test_large_numbers_and_dates_are_spelled_as_sentences_spell_them() -> None:
    assert "Deaths is 3,700,000 (3.7 million)" in said("The flood of 1931 killed 3.7 million.")
    rows = [["Name", "Died"], ["Ada", "1992-04-30"]]
    assert "Died is 30 April 1992" in said("Ada died in May.", TableView.of_rows(rows))


def test_a_small_table_is_shown_whole() -> None:
    rows = [["Loaf", "Baked"], *([f"Loaf {n}", "Daily"] for n in range(8))]
    assert said("Eight loaves are baked.", TableView.of_rows(rows)).count("Baked is Daily") == 8


def test_totals_are_in_the_unit_that_cells_or_headers_name() -> None:
    for rows in (
        [["River", "Length"], ["Inn", "500 km"], ["Enns", "300 km"]],
        [["River", "Length (km)"], ["Inn", "500"], ["Enns", "300"]],
    ):
        text = said("The rivers are 800 km long in total.", TableView.of_rows(rows))
        assert "is 800, the average 400." in text
