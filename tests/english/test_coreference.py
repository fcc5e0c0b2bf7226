"""Pronouns and "the company" get a name only where no other could be meant."""

import pytest

from feverfew.english.coreference import Coreference


def last(text: str) -> str:
    names = Coreference()
    return [names.resolve(f"{sentence}.") for sentence in text.rstrip(".").split(". ")][-1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nordwind Robotics is based in Bergen. The company sold 1,204 robots.", "Nordwind Rob"),
        ("In 2021, Nordwind moved to Bergen. It sold 1,204 robots.", "Nordwind sold"),
        ("Siemens AG is headquartered in Munich. The firm has 300 offices.", "Siemens AG has"),
        ("Ann Lee works at Harvard University. The university is old.", "Harvard University is"),
        ("Fritz Lang directed Metropolis. It was released in 1927.", "Metropolis was"),
        ("Metropolis was directed by Fritz Lang. It was released in 1927.", "Metropolis was"),
        ("Metropolis was directed by Fritz Lang. He was born in Vienna.", "Fritz Lang was"),
        ("The Beatles were a band. They were loved.", "The Beatles were"),
        ("Ann Lee was born in Rome. She met Eve Hall. She left.", "Ann Lee left"),
    ],
)
def test_the_only_name_that_fits_is_taken(text: str, expected: str) -> None:
    assert last(text).startswith(expected)


@pytest.mark.parametrize(
    "text",
    [
        "The headquarters are in Bergen. The company sold 1,204 robots.",
        "Bergen lies on the coast. The company sold 1,204 robots.",
        "Anna Berg founded Nordwind in Bergen. She was born in Oslo. The company makes robots.",
        "Nordwind acquired Hexa. The company sold 1,204 robots.",
        "Nordwind acquired Hexa. It sold 1,204 robots.",
        "Apple was sued by Epic Games. It won the case.",
        "Barack Obama met Angela Merkel. She was happy.",
        "Metropolis was filmed in Berlin. The city was huge.",
        "Acme sells anvils. They are heavy.",
        "Nordwind is a company. Its robots are blue. They are loud.",
        "Bergen is a city. Nordwind has offices there. There are twelve of them.",
        "Acme is a company. Hexa is a company. Rain fell on both. The company grew.",
    ],
)
def test_where_two_could_be_meant_the_sentence_stays(text: str) -> None:
    assert text.endswith(last(text))
