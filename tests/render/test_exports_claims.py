import csv
import io

from feverfew.render.check_html import reports_page
from feverfew.render.exports import claims_csv
from feverfew.types import Claim, Context, Finding, Provenance, Ref, Report, Verdict

REPORT = Report(
    claim="Oslo is large.",
    verdict=Verdict.REFUTED,
    probabilities={Verdict.SUPPORTED: 0.1, Verdict.REFUTED: 0.8, Verdict.NOT_ENOUGH_INFO: 0.1},
    evidence=(
        Finding(
            ref=Ref.sentence("towns.pdf", 3),
            text="Oslo is small.",
            context=Context("Towns"),
            score=1.0,
            source=Provenance("towns.pdf", 2),
            says=Verdict.REFUTED,
            probabilities={Verdict.REFUTED: 0.8},
        ),
    ),
)


def rows(claims: list[Claim]) -> list[dict[str, str]]:
    written = claims_csv(claims, [REPORT] * len(claims)).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(written)))


def test_columns_are_kept_before_what_was_found() -> None:
    (row,) = rows([Claim(id=1, text="Oslo is large.", columns={"Author": "=Ada", "page": "5"})])
    assert list(row)[:2] == ["Author", "page"]
    assert (row["Author"], row["page"], row["feverfew_page"]) == ("'=Ada", "5", "2")
    assert (row["verdict"], row["confidence"], row["file"]) == ("REFUTED", "0.800", "towns.pdf")
    assert (row["evidence"], row["element"]) == ("Oslo is small.", "towns.pdf_sentence_3")


def test_claims_without_a_table_have_an_id_and_a_text() -> None:
    (row,) = rows([Claim(id=7, text="Oslo is large.")])
    assert (row["id"], row["claim"]) == ("7", "Oslo is large.")


def test_a_page_of_reports_links_to_the_very_page_of_a_file() -> None:
    made = reports_page("Checked", [REPORT], {"towns.pdf": "file:///docs/towns.pdf"})
    assert '<a class="source" href="file:///docs/towns.pdf#page=2">towns.pdf, page 2</a>' in made
    assert '<span class="source">towns.pdf, page 2</span>' in reports_page("Checked", [REPORT])
