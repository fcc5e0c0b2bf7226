"""A small made-up encyclopedia, regular enough that the factory finds every kind of claim in it."""

from collections.abc import Sequence

from feverfew.factory.facts import Subject, subject_of
from making import page

FIRST = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Fred", "Gina", "Hugo"]
FIRST += ["Ines", "Jack", "Kate", "Lars", "Mona", "Nils", "Olga", "Paul"]
LAST = ["Alder", "Birch", "Cedar", "Drake", "Elder", "Frost", "Grove", "Hazel"]
TOWNS = ["Norwick", "Sudham", "Eastley", "Westby", "Midford", "Highcot", "Lowmere", "Deepwell"]
NIGHTS = ["First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth"]
THINGS = ["Ferry", "Train", "Letter", "Garden", "Mirror", "Harbour", "Window", "Island"]
THINGS += ["Bridge", "Orchard", "Kitchen", "Signal", "Desert", "Violin", "Winter", "Summer"]


def pages() -> dict[str, Sequence[str]]:
    """Return titles and sentences: people, films of theirs, towns; a third is silent."""
    made: dict[str, Sequence[str]] = {}
    for n, town in enumerate(TOWNS):
        people = f"The town had a population of {1200 + 1711 * n:,}." if n % 3 else "It is old."
        made[town] = [f"{town} is a town in Surrey, England.", people]
    for n in range(128):
        person = f"{FIRST[n % 16]} {LAST[n // 16]}"
        town = TOWNS[n % 8]
        if n % 3 == 0:
            made[person] = [f"{person} is a British film director.", "The director lives quietly."]
        else:
            born = f"{1 + n % 28} May {1900 + n % 90}"
            made[person] = [
                f"{person} (born {born} in {town}, England) is a British film director.",
                "Among colleagues the director is well known.",
            ]
        film = f"The {NIGHTS[n // 16]} Night {THINGS[n % 16]}"
        if n % 3 == 1:
            made[film] = [f"{film} is a British drama film.", "It has music throughout."]
        else:
            made[film] = [
                f"{film} is a {1950 + n % 70} British drama film directed by {person}"
                " and made in colour."
            ]
    return made


def subjects() -> list[Subject]:
    """Read the pages' subjects, numbered in order."""
    found = (subject_of(page(t, *s), n) for n, (t, s) in enumerate(pages().items()))
    return [subject for subject in found if subject is not None]
