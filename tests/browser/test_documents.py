"""People with documents: a private corpus of dropped files, a draft that comes back marked."""

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import docx
import pytest

from browsing import DESK, PHONE, Browsing
from running import Running, running

TRAVEL = """# Travel policy

Train tickets are reimbursed in second class. Flights within Europe need approval by the head of
department. Receipts must be submitted within 30 days.
"""
NORDWIND = (
    "Nordwind Robotics\n\nNordwind Robotics is a maker of warehouse robots based in Bergen. "
    "Nordwind Robotics was founded in 2009 by Anna Berg.\n"
)
DROP = """([selector, files]) => {
    const held = new DataTransfer();
    for (const [name, text] of files) held.items.add(new File([text], name));
    const area = document.querySelector(selector);
    const how = { dataTransfer: held, bubbles: true, cancelable: true };
    for (const kind of ["dragover", "drop"]) area.dispatchEvent(new DragEvent(kind, how));
}"""


@pytest.fixture(scope="module")
def desk(sample_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("desk")
    with running(sample_path, "--timeout", "300", "--data", data) as found:
        yield found


def word_draft() -> bytes:
    made, out = docx.Document(), io.BytesIO()
    made.add_heading("A draft", 1)
    paragraph = made.add_paragraph()
    paragraph.add_run("Fritz Lang was born ")
    paragraph.add_run("in 1975").bold = True
    paragraph.add_run(". Was he famous?")
    made.save(out)
    return out.getvalue()


def test_from_dropped_files_to_a_verdict_and_back_to_the_file(
    desk: Running, browsing: Browsing
) -> None:
    page = browsing.open(f"{desk.url}/library")
    page.get_by_label("Name of the corpus").fill("Our policies")
    page.get_by_role("button", name="Make it").click()
    page.wait_for_url(re.compile(r"/library/[0-9a-f]{16}$"))
    shelf = page.url
    browsing.keep(page, "empty")
    dropped = [["travel.md", TRAVEL], ["nordwind.txt", NORDWIND], ["virus.exe", "x"]]
    page.evaluate(DROP, ["[data-upload]", dropped])
    page.locator(".uploads .wrong", has_text="virus.exe").wait_for()
    browsing.keep(page, "uploading")
    page.get_by_role("link", name="Check against it").wait_for()
    assert page.locator(".files tbody tr").count() == 2
    browsing.keep(page, "filled")
    page.get_by_role("link", name="Check against it").click()
    page.wait_for_url(re.compile(r"/c/[0-9a-f]{16}/$"))
    assert "Our policies" in page.locator(".lead").inner_text()
    starters = page.locator(".starters:not(.recent) .claim")
    assert any("Nordwind" in one or "tickets" in one for one in starters.all_inner_texts())
    browsing.keep(page, "home")
    page.keyboard.type("Train tickets are reimbursed in first class.")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/c/[0-9a-f]{16}/check\?claim=Train"))
    assert page.locator(".card", has_text="second class").first.is_visible()
    browsing.keep(page, "verdict")
    with page.expect_download() as waiting:
        page.locator(".card .file").first.click()
    assert "second class" in Path(waiting.value.path()).read_text("utf-8")
    page.locator(".card cite").first.click()
    page.wait_for_url(re.compile(r"/c/[0-9a-f]{16}/pages/.*#sentence_\d+"))
    assert "second class" in page.locator(":target").inner_text()
    browsing.keep(page, "page")
    page.get_by_label("Search the pages").fill("who approves flights")
    page.get_by_role("button", name="Search").click()
    assert page.locator(".results mark", has_text="Flights").count() >= 1
    page.goto(shelf)
    page.get_by_role("button", name="Delete nordwind.txt").click()
    page.locator(".files tbody tr").first.wait_for()
    page.get_by_role("link", name="Check against it").wait_for()
    assert page.locator(".files tbody tr").count() == 1
    page.get_by_text("Delete this corpus").click()
    page.get_by_role("button", name="Delete it with all files").click()
    page.wait_for_url(re.compile(r"/library$"))
    assert page.get_by_text("Our policies").count() == 0
    gone = page.goto(shelf)
    assert gone is not None
    assert gone.status == 404


@pytest.mark.parametrize("phone", [False, True])
def test_a_draft_comes_back_marked_and_as_word_with_comments(
    desk: Running, browsing: Browsing, tmp_path: Path, phone: bool
) -> None:
    page = browsing.open(desk.url, size=PHONE if phone else DESK)
    file = tmp_path / "draft.docx"
    file.write_bytes(word_draft())
    page.locator("[data-draft] input").set_input_files(file)
    page.locator("a.said").first.wait_for()
    page.wait_for_url(re.compile(r"/drafts/[0-9a-f]+$"))
    assert page.locator("a.said.refuted", has_text="Fritz Lang was born in 1975.").count() == 1
    assert page.locator("a.said mark.conflict", has_text="1975").count() == 1
    assert page.locator("span.skipped", has_text="Was he famous?").count() == 1
    browsing.keep(page)
    if phone:
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Word with comments").click()
    made = docx.Document(str(waiting.value.path()))
    (comment,) = made.comments
    assert comment.text.startswith("Refuted")
    assert [run.bold for run in made.paragraphs[1].runs].count(True) == 1
    with page.expect_download() as waiting:
        page.get_by_role("link", name="CSV").click()
    assert "REFUTED" in Path(waiting.value.path()).read_text("utf-8-sig")
    page.goto(desk.url)
    page.locator("[data-history] a", has_text="draft.docx").click()
    page.locator("a.said.refuted").wait_for()
    page.get_by_role("button", name="Forget it").click()
    page.get_by_role("button", name="Clear").click()
    assert page.locator("[data-history]").is_hidden()


def test_an_overlong_text_stays_in_its_field(desk: Running, browsing: Browsing) -> None:
    page = browsing.open(desk.url)
    assert page.locator(":focus").get_attribute("id") == "claim"
    text = " ".join(f"The number {number} is even." for number in range(3_100))
    page.locator("#claim").fill(text)
    page.get_by_role("button", name="Check").click()
    page.get_by_role("alert").wait_for()
    assert "up to 3,000" in page.get_by_role("alert").inner_text()
    assert page.locator("#claim").input_value() == text


def test_a_wrong_verdict_is_told_to_the_owner(
    sample_path: Path, browsing: Browsing, tmp_path: Path
) -> None:
    with running(sample_path, "--timeout", "300", "--data", tmp_path) as server:
        page = browsing.open(f"{server.url}/check?claim=Fritz Lang was born in 1975.")
        page.get_by_text("This verdict is wrong").click()
        page.get_by_label("It should be").select_option("SUPPORTED")
        page.get_by_label("Why").fill("A namesake.")
        page.get_by_role("button", name="Send this report").click()
        page.get_by_text("Noted. Thank you.").wait_for()
        browsing.keep(page)
    (line,) = (tmp_path / "remarks.jsonl").read_text("utf-8").splitlines()
    said = json.loads(line)
    assert (said["claim"], said["label"]) == ("Fritz Lang was born in 1975.", "SUPPORTS")
    assert said["note"] == "A namesake."
