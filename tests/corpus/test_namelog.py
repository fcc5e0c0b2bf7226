from feverfew.corpus.names import NameKind, NameLog, keys_of, names_line


def test_a_line_names_kind_and_key() -> None:
    assert names_line(keys_of("The_Shining_-LRB-film-RRB-")) == (
        "0the shining film\t2the shining\t3shining"
    )
    assert names_line({}) == ""


def test_the_log_gives_back_every_name_once() -> None:
    log = NameLog()
    log.add(1, [names_line({"æon 3": NameKind.FULL, "aeon": NameKind.ALIAS}), names_line({})])
    log.add(3, [names_line({"!!!": NameKind.FULL})])
    assert list(log.drain()) == [("æon 3", 0, 1), ("aeon", 1, 1), ("!!!", 0, 3)]
    assert list(log.drain()) == []
