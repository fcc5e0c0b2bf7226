"""Several corpora behind one server, and private ones that only their owner finds."""

from pathlib import Path

import httpx
import pytest

from feverfew.corpus import Corpus
from feverfew.errors import InputError, NotFound
from feverfew.server.library import Library, file_name
from making import made
from running import running


def test_a_further_corpus_has_the_whole_site_and_api(sample_path: Path, tmp_path: Path) -> None:
    other = made(tmp_path, {"Ada Quill": ["Ada Quill was born in Tartu in 1911 ."]}, "other.corpus")
    with (
        running(sample_path, "--also", other, "--timeout", "300", "--data", tmp_path) as server,
        httpx.Client(base_url=server.url, timeout=300, headers={"Accept": "text/html"}) as asker,
    ):
        name = asker.get("/library").text.partition('href="/c/')[2].partition("/")[0]
        assert "Ada Quill" in asker.get(f"/c/{name}/browse").text
        assert f'href="/c/{name}/check?claim=' in asker.get(f"/c/{name}/").text
        found = asker.get(f"/c/{name}/v1/pages/Ada Quill", headers={"Accept": "*/*"}).json()
        assert found["title"] == "Ada Quill"
        assert asker.get("/v1/pages/Ada Quill").status_code == 404
        assert asker.get("/c/nobodys/").status_code == 404


def test_nobody_finds_what_belongs_to_another(tmp_path: Path) -> None:
    library = Library(tmp_path)
    own = library.create("ann", "Mine")
    assert [one.label for one in library.of("ann")] == ["Mine"]
    assert library.of("bob") == []
    for owner, name in (("bob", own.name), ("ann", "../bob"), ("../ann", own.name), ("", own.name)):
        with pytest.raises(NotFound):
            library.find(owner, name)


@pytest.mark.parametrize("name", ["../../key.txt", "a\\b\\key.txt", "/etc/key.txt", "..key.txt"])
def test_a_file_stays_in_its_folder(name: str) -> None:
    assert file_name(name) == "key.txt"


@pytest.mark.parametrize("name", ["", "..", "/", "virus.exe"])
def test_what_is_no_document_is_refused(name: str, tmp_path: Path) -> None:
    library = Library(tmp_path)
    with pytest.raises(InputError):
        library.receiving(library.create("ann", "Mine"), name)


def test_an_upload_updates_the_corpus_and_does_not_build_it_anew(tmp_path: Path) -> None:
    library = Library(tmp_path)
    own = library.create("ann", "Mine")

    def upload(name: str, text: str) -> str:
        part, _ = library.receiving(own, name)
        part.write_text(text)
        library.received(part)
        library.index(own)
        assert library.indexing(own).failed == ""
        with Corpus.open(library.path(own)) as corpus:
            assert library.indexing(own).pages == len(corpus)
            return corpus.generation

    first = upload("long.md", "# Linz\n\n" + "Linz is a city on the Danube. " * 50)
    second = upload("short.rst", "Graz\n====\n\nGraz lies on the Mur.\n")
    build, _, _ = first.partition(".")
    assert second != first
    assert second.startswith(build)
    library.remove(own, "short.rst")
    library.index(own)
    with Corpus.open(library.path(own)) as corpus:
        assert [page.title for page in corpus] == ["long.md"]
        assert corpus.generation.startswith(build)
