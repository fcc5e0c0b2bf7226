"""Small tables of words that mutations need: kinds of things, opposites, peoples, countries.

Written by hand, and kept to what is safe to exchange: words that exclude each other.
"""

from msgspec import Struct


class Kind(Struct, frozen=True):
    """A sort of thing that a page may be about."""

    family: str
    """person, work, place or group: decides what may be said of it."""
    field: str
    """Kinds of two fields exclude each other, as far as one may expect: a film is no river."""
    general: str
    """What every one of them is, with its article."""


_FIELDS = {
    ("person", "acting", "an entertainer"): "actor, actress, comedian",
    ("person", "music", "a musician"): "singer, singer-songwriter, rapper, guitarist, pianist, "
    "drummer, violinist, composer, songwriter",
    ("person", "sport", "an athlete"): "footballer, cricketer, swimmer, cyclist, boxer, wrestler, "
    "gymnast, skier, sprinter, sailor, judoka, rower, golfer, fencer, football player, "
    "baseball player, basketball player, ice hockey player, tennis player, rugby union player, "
    "rugby league footballer, racing driver, sport shooter, baseball pitcher, handball player, "
    "volleyball player, middle-distance runner, rugby player, soccer player, figure skater",
    ("person", "science", "a scientist"): "physicist, chemist, biologist, botanist, zoologist, "
    "geologist, astronomer, mathematician, geneticist",
    ("person", "politics", "a person in public life"): "politician, diplomat, statesman",
    ("person", "letters", "a writer"): "novelist, poet, playwright",
    ("person", "law", "a person of the law"): "lawyer, jurist",
    ("person", "pictures", "an artist"): "painter, sculptor, photographer, illustrator",
    ("person", "building", "a designer of buildings"): "architect",
    ("person", "war", "a military person"): "admiral, army officer, naval officer",
    ("work", "film", "a creative work"): "film",
    ("work", "music", "a musical work"): "song",
    ("work", "album", "a recording"): "album, studio album, live album, compilation album, EP",
    ("work", "book", "a book"): "novel",
    ("work", "television", "a programme"): "sitcom, television series, television show, "
    "television sitcom",
    ("work", "game", "a game"): "video game, board game, role-playing game",
    ("place", "settlement", "a place where people live"): "city, town, village, hamlet",
    ("place", "water", "a body of water"): "river, lake, stream, reservoir",
    ("place", "height", "a landform"): "mountain, hill, volcano",
    ("place", "island", "an area of land"): "island",
    ("place", "rail", "a place of transport"): "railway station, airport",
    ("group", "band", "a musical group"): "band, rock band",
    ("group", "company", "a business"): "airline, bank, company",
    ("group", "learning", "an educational institution"): "university, college, high school",
    ("group", "club", "a sports organisation"): "football club, association football club",
    ("group", "party", "a political organisation"): "political party",
    ("group", "paper", "a publication"): "newspaper, magazine",
}
KINDS = {
    name: Kind(*described) for described, listed in _FIELDS.items() for name in listed.split(", ")
}

_OPPOSITES = """former/current, largest/smallest, oldest/youngest, northern/southern,
eastern/western, male/female, retired/active, public/private, professional/amateur, highest/lowest,
north/south, east/west, successful/unsuccessful, rural/urban, longest/shortest, first/last,
winning/losing, increased/decreased"""
_PAIRS = [pair.strip().split("/") for pair in _OPPOSITES.split(",")]
ANTONYMS = {word: pair[1 - at] for pair in _PAIRS for at, word in enumerate(pair)}

_PEOPLES = """American British English Scottish Welsh Irish French German Italian Spanish Dutch
Portuguese Belgian Swiss Austrian Swedish Norwegian Danish Finnish Polish Czech Hungarian Romanian
Bulgarian Greek Turkish Russian Ukrainian Israeli Egyptian Nigerian Kenyan Indian Pakistani Chinese
Japanese Korean Australian Canadian Mexican Brazilian Argentine Chilean Cuban Jamaican Indonesian
Filipino Iranian Croatian Serbian"""
PEOPLES = tuple(_PEOPLES.split())

_LANDS = {
    "Europe": "England, Scotland, Wales, Ireland, France, Germany, Italy, Spain, Portugal, "
    "Belgium, Switzerland, Austria, Sweden, Norway, Denmark, Finland, Poland, Hungary, Romania, "
    "Bulgaria, Greece, Ukraine, Croatia, Serbia, Slovenia, Slovakia, Estonia, Latvia, Lithuania",
    "Asia": "India, Pakistan, China, Japan, South Korea, Iran, Iraq, Indonesia, Malaysia, "
    "Thailand, Vietnam, Nepal, Bangladesh, Mongolia, Israel",
    "Africa": "Nigeria, Kenya, Ghana, Ethiopia, Tanzania, Uganda, Zambia, Senegal, Mali, "
    "South Africa, Morocco, Algeria, Tunisia",
    "North America": "Canada, Mexico, Cuba, Guatemala, Honduras",
    "South America": "Brazil, Argentina, Chile, Peru, Bolivia, Ecuador, Colombia, Venezuela",
}
CONTINENTS = {
    land: continent for continent, listed in _LANDS.items() for land in listed.split(", ")
}
"""Countries, each with its continent; those that lie on two, and the United States, left out."""

ADDITIONS = {
    "person": (
        "has two older sisters",
        "was raised by a grandmother in {place}",
        "speaks three languages",
        "once lived in {place}",
        "was a close friend of {person}",
        "admired the work of {person}",
        "studied with {person}",
        "was married to {person}",
        "owned a house in {place}",
        "won a prize as a student",
        "learned to sail as a child",
        "had a brother who lived in {place}",
        "is related to {person}",
        "worked as a waiter in {place}",
    ),
    "work": (
        "was inspired by {person}",
        "was dedicated to {person}",
        "was banned in {land}",
        "was praised by {person}",
        "was made in {place}",
        "took more than two years to finish",
        "won an award in {year}",
        "lost money in {land}",
        "was disliked by {person}",
    ),
    "place": (
        "was visited by {person}",
        "was described in a book by {person}",
        "was damaged by a storm in {year}",
        "is popular with tourists from {land}",
        "was painted by {person}",
        "was once known for its market",
    ),
    "group": (
        "was once led by {person}",
        "has ties to {land}",
        "was criticised by {person}",
        "nearly closed in {year}",
        "received money from {person}",
        "became well known in {land}",
    ),
}
"""What may or may not be so, by family: nothing that a first sentence settles."""
