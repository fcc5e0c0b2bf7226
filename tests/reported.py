"""Reports made by hand, one of each kind, for whatever shows reports."""

from feverfew.text import display_title
from feverfew.types import Context, Evidence, Finding, OpenReason, Ref, Report, Verdict

YES, NO, OPEN = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO


def piece(page: str, line: int, text: str, *, section: str = "", hop: int = 0) -> Evidence:
    context = Context(display_title(page), section)
    return Evidence(ref=Ref.sentence(page, line), text=text, context=context, score=1.5, hop=hop)


def odds(supported: float, refuted: float) -> dict[Verdict, float]:
    return {YES: supported, NO: refuted, OPEN: 1 - supported - refuted}


def finding(evidence: Evidence, says: Verdict, *, decisive: bool = False) -> Finding:
    alone = {YES: odds(0.75, 0.125), NO: odds(0.125, 0.75), OPEN: odds(0.25, 0.25)}[says]
    return Finding.of(evidence, says=says, probabilities=alone, decisive=decisive)


FILM = piece(
    "Harbour_Lights_-LRB-film-RRB-", 0, "Harbour Lights is a 1931 film directed by Ada Quill."
)
BORN = piece("Ada_Quill", 1, "Quill was born in Tartu.", section="Life", hop=1)
CITY = piece("Tartu", 0, "Tartu is a city of Estonia.")

SUPPORTED = Report(
    claim="The director of Harbour Lights was born in Tartu.",
    verdict=YES,
    probabilities=odds(0.874, 0.031),
    evidence=(finding(FILM, OPEN, decisive=True), finding(BORN, YES)),
    sets=((FILM.ref, BORN.ref),),
    considered=(FILM, BORN, CITY),
    reasons=("Two pages support it.",),
    seconds={"retrieve": 0.25, "judge": 0.5},
    corpus="c0ffee",
    model="decade",
)
REFUTED = Report(
    claim="Harbour Lights is a film of 1932.",
    verdict=NO,
    probabilities=odds(0.001, 0.9985),
    evidence=(finding(FILM, NO, decisive=True),),
    sets=((FILM.ref,),),
    against=(finding(CITY, YES),),
    considered=(FILM, CITY),
    reasons=("The year differs: 1931, not 1932.",),
)
SILENT = Report(
    claim="Ada Quill kept bees.",
    verdict=OPEN,
    probabilities=odds(0.25, 0.05),
    considered=(BORN, FILM, CITY),
    open_reason=OpenReason.SILENT,
    reasons=("The nearest pages do not say: Ada Quill.",),
)
CONFLICT = Report(
    claim="Ada Quill was born in Tartu.",
    verdict=OPEN,
    probabilities=odds(0.5, 0.4),
    evidence=(finding(BORN, YES),),
    against=(finding(CITY, NO),),
    considered=(BORN, CITY),
    open_reason=OpenReason.CONFLICT,
)
PARTLY = Report(
    claim="Harbour Lights is a film of 1932. Ada Quill kept bees.",
    verdict=OPEN,
    probabilities=odds(0.2, 0.2),
    evidence=(finding(FILM, NO),),
    open_reason=OpenReason.PARTLY,
    missing="Ada Quill kept bees.",
    reasons=("A reason that its parts repeat.",),
    parts=(REFUTED, SILENT),
)
QUESTION = Report(
    claim="Who directed it?",
    verdict=OPEN,
    probabilities=odds(0, 0),
    open_reason=OpenReason.NOT_A_CLAIM,
    reasons=("This is a question.",),
)
ALL = (SUPPORTED, REFUTED, SILENT, CONFLICT, PARTLY, QUESTION)
HOSTILE = Report(
    claim="<script>alert(1)</script> & \x1b[31m\u202e",
    verdict=YES,
    probabilities={YES: float("nan"), NO: float("inf")},
    evidence=(
        finding(
            piece(
                '"><script>alert(2)</script>',
                0,
                "It <img src=x onerror=alert(3)> said </blockquote> alert \x1b]0;x\x07.",
                section="</style><script>alert(4)</script>",
            ),
            YES,
        ),
    ),
    missing="<b>",
    reasons=("<i onclick=alert(5)>",),
)
"""What a corpus may hold when somebody means harm."""
