"""Campaigns to try over the sample encyclopedia: one of each kind."""

from importlib.resources import files

from feverfew.readers.claims import read_claims
from feverfew.sample import sample_claims
from feverfew.store.campaigns import make_campaign
from feverfew.store.claim_tables import Campaign
from feverfew.store.settings import Settings, settings_from
from feverfew.workbench.bench import Bench
from feverfew.workbench.sources import Question, add_golds, draw_sources

QUESTIONS = (
    Question(
        "In which city was the director of Metropolis born?",
        "Vienna",
        [("Metropolis (1927 film)", 0), ("Fritz Lang", 0)],
        "demo-1",
    ),
    Question(
        "Who wrote the screenplay of the silent film that Fritz Lang directed in 1927?",
        "Thea von Harbou",
        [("Metropolis (1927 film)", 0), ("Fritz Lang", 0)],
        "demo-2",
    ),
)
_TESTS = 6


def default_guideline(kind: str) -> str:
    """Return the guidelines of a kind of campaign, after the paper's."""
    return files("feverfew.workbench").joinpath("guidelines", f"{kind}.md").read_text("utf-8")


def add_campaign(
    bench: Bench, name: str, settings: Settings, questions: tuple[Question, ...] = ()
) -> tuple[Campaign, int]:
    """Make a campaign with its guidelines and sources; return it and the number of sources."""
    with bench.database.write() as session:
        campaign = make_campaign(
            session, name, settings, bench.corpus.fingerprint, default_guideline(settings.kind)
        )
        count = draw_sources(session, campaign, settings, bench.corpus, questions)
    return campaign, count


def add_demo(bench: Bench, sources: int = 20) -> list[str]:
    """Make a campaign of each kind, and hidden tests from the sample's own claims."""
    made = []
    for kind in ("fever", "feverous", "hover"):
        settings = settings_from(
            {
                "kind": kind,
                "title": f"Demonstration of {kind}",
                "sources": sources,
                "seed": 1,
                "assignment": {"editing_hours": 0.0},
            }
        )
        campaign, _ = add_campaign(bench, f"{kind}-demo", settings, QUESTIONS)
        made.append(campaign.name)
        if kind == "fever":
            tests = [c for c in read_claims(sample_claims()[0]) if c.label and c.evidence][:_TESTS]
            with bench.database.write() as session:
                add_golds(session, campaign, settings, tests, "test")
    return made
