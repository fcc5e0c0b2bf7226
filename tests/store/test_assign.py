"""Who gets what: blind, once, never one's own, and free again when a lease runs out."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from feverfew.errors import InputError, NotAllowed
from feverfew.store.assign import take
from feverfew.store.campaigns import add_gold
from feverfew.store.claim_tables import Campaign, Claim
from feverfew.store.claims import add_claim, add_source
from feverfew.store.database import Database, now
from feverfew.store.people_tables import Person
from feverfew.store.quality import grade_annotation, state_of
from feverfew.store.settings import Settings
from feverfew.store.submit import Element, Work, revise, save_draft, submit
from feverfew.store.work_tables import Annotation, Draft, Slot, Voided
from feverfew.types import Verdict
from storing import add_campaign, add_people

S = Work(verdict="SUPPORTED", sets=((Element("Page_sentence_0"),),))


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    made = Database.open(url)
    yield made
    made.close()


def add_claims(
    database: Database, campaign: Campaign, settings: Settings, count: int
) -> list[Claim]:
    with database.write() as session:
        return [
            add_claim(session, campaign, settings, text=f"Claim {n} is here.") for n in range(count)
        ]


def done(
    database: Database, campaign: Campaign, settings: Settings, person: Person, work: Work = S
) -> Slot | None:
    """Take and submit one task."""
    slot = take(database, campaign, settings, person.id, "label")
    if slot is None:
        return None
    with database.write() as session:
        own = session.get_one(Slot, slot.id)
        annotation = submit(session, campaign, settings, own, person, work)
        grade_annotation(session, campaign, settings, own, annotation)
    return slot


def test_a_person_has_one_task_until_it_is_done(database: Database) -> None:
    campaign, settings = add_campaign(database)
    add_claims(database, campaign, settings, 3)
    ann, bob = add_people(database, "ann", "bob")
    first = take(database, campaign, settings, ann.id, "label")
    assert first is not None
    again = take(database, campaign, settings, ann.id, "label")
    assert again is not None
    assert again.id == first.id
    other = take(database, campaign, settings, bob.id, "label")
    assert other is not None
    assert other.claim_id != first.claim_id


def test_nobody_judges_what_they_or_their_siblings_wrote(database: Database) -> None:
    campaign, settings = add_campaign(database)
    ann, bob = add_people(database, "ann", "bob")
    with database.write() as session:
        source = add_source(session, campaign, settings, key="k", kind="sentence", data={})
        for author in (ann, bob):
            add_claim(session, campaign, settings, text="A claim.", author=author, source=source)
    assert take(database, campaign, settings, ann.id, "label") is None
    (cid,) = add_people(database, "cid")
    assert take(database, campaign, settings, cid.id, "label") is not None


def test_authors_may_edit_before_others_see_it(database: Database) -> None:
    campaign, settings = add_campaign(database, assignment={"editing_hours": 24})
    ann, bob = add_people(database, "ann", "bob")
    with database.write() as session:
        claim = add_claim(session, campaign, settings, text="A claim.", author=ann)
    assert take(database, campaign, settings, bob.id, "label") is None
    with database.write() as session:
        session.execute(update(Slot).values(open_from=now() - timedelta(seconds=1)))
    found = take(database, campaign, settings, bob.id, "label")
    assert found is not None
    assert found.claim_id == claim.id


def test_a_lease_that_ran_out_is_free_again(database: Database) -> None:
    campaign, settings = add_campaign(database)
    add_claims(database, campaign, settings, 1)
    ann, bob = add_people(database, "ann", "bob")
    first = take(database, campaign, settings, ann.id, "label")
    assert first is not None
    assert take(database, campaign, settings, bob.id, "label") is None
    with database.write() as session:
        session.execute(update(Slot).values(leased_until=now() - timedelta(seconds=1)))
    taken = take(database, campaign, settings, bob.id, "label")
    assert taken is not None
    assert taken.id == first.id
    with database.write() as session, pytest.raises(NotAllowed, match="no longer yours"):
        submit(session, campaign, settings, session.get_one(Slot, first.id), ann, S)


def test_drafts_are_kept_and_renew_the_lease(database: Database) -> None:
    campaign, settings = add_campaign(database)
    add_claims(database, campaign, settings, 1)
    (ann,) = add_people(database, "ann")
    slot = take(database, campaign, settings, ann.id, "label")
    assert slot is not None
    past = now() - timedelta(minutes=5)
    with database.write() as session:
        session.execute(update(Slot).values(leased_until=now(), started=past))
    for data, active in (({"a": 1}, 60_000), ({"a": 2}, 10**9)):
        with database.write() as session:
            own = session.get_one(Slot, slot.id)
            save_draft(session, settings, own, ann, data, active)
            assert own.leased_until is not None
            assert own.leased_until > now() + timedelta(hours=3)
    with database.read() as session:
        draft = session.get_one(Draft, slot.id)
        assert draft.data == {"a": 2}
        assert 60_000 <= draft.active_ms < 65_000  # no more time than has passed


def test_a_task_is_submitted_once_and_corrected_by_a_new_version(database: Database) -> None:
    campaign, settings = add_campaign(database)
    add_claims(database, campaign, settings, 1)
    (ann,) = add_people(database, "ann")
    slot = done(database, campaign, settings, ann)
    assert slot is not None
    with database.write() as session, pytest.raises(NotAllowed, match="submitted already"):
        submit(session, campaign, settings, session.get_one(Slot, slot.id), ann, S)
    with database.write() as session:
        own = session.get_one(Slot, slot.id)
        revise(session, campaign, settings, own, ann, Work(verdict="REFUTED"))
    with database.read() as session:
        rows = session.execute(select(Annotation.version, Annotation.verdict)).all()
    assert sorted(map(tuple, rows)) == [(1, "SUPPORTED"), (2, "REFUTED")]


def test_five_way_claims_have_five_people(database: Database) -> None:
    campaign, settings = add_campaign(database, checks={"five_way": 1.0, "super_annotated": 0.0})
    add_claims(database, campaign, settings, 4)
    people = add_people(database, *"abcdef")
    for person in people * 4:
        done(database, campaign, settings, person)
    with database.read() as session:
        rows = session.execute(select(Slot.claim_id, Slot.person_id, Slot.state)).all()
    assert Counter(claim for claim, _, _ in rows) == dict.fromkeys({c for c, _, _ in rows}, 5)
    assert all(state == "done" for *_, state in rows)
    assert len({(claim, person) for claim, person, _ in rows}) == 20


def test_who_does_not_want_a_claim_leaves_it_to_another(database: Database) -> None:
    campaign, settings = add_campaign(database)
    add_claims(database, campaign, settings, 1)
    ann, bob = add_people(database, "ann", "bob")
    done(database, campaign, settings, ann, Work(outcome="skip", reasons=("unwilling",)))
    assert done(database, campaign, settings, ann) is None
    assert done(database, campaign, settings, bob) is not None


def test_reported_claims_leave_the_pool(database: Database) -> None:
    campaign, settings = add_campaign(database, checks={"five_way": 1.0, "super_annotated": 0.0})
    (claim,) = add_claims(database, campaign, settings, 1)
    ann, bob = add_people(database, "ann", "bob")
    done(database, campaign, settings, ann, Work(outcome="report", reasons=("typo",), note="teh"))
    assert take(database, campaign, settings, bob.id, "label") is None
    with database.read() as session:
        assert session.get_one(Claim, claim.id).state == "reported"


def test_unknown_reasons_are_refused(database: Database) -> None:
    campaign, settings = add_campaign(database)
    add_claims(database, campaign, settings, 1)
    (ann,) = add_people(database, "ann")
    with pytest.raises(InputError, match="unknown reason 'bored'"):
        done(database, campaign, settings, ann, Work(outcome="skip", reasons=("bored",)))


def test_who_fails_the_hidden_tests_is_suspended_and_all_is_redone(database: Database) -> None:
    checks = {"tests": 0.5, "least_tests": 3, "five_way": 0.0, "super_annotated": 0.0}
    campaign, settings = add_campaign(database, checks=checks)
    add_claims(database, campaign, settings, 8)
    with database.write() as session:
        for n in range(6):
            add_gold(
                session, campaign, settings, f"Test {n} is a test.", Verdict.REFUTED, use="test"
            )
    ann, bob = add_people(database, "ann", "bob")
    for _ in range(14):
        with database.read() as session:
            if state_of(session, ann.id, campaign.id, "label") == "suspended":
                break
        done(database, campaign, settings, ann)
    with database.read() as session:
        assert state_of(session, ann.id, campaign.id, "label") == "suspended"
        slots = session.scalars(select(Slot).where(Slot.kind == "regular")).all()
        finished = [slot.claim_id for slot in slots if slot.state == "done"]
        redo = session.scalars(select(Slot.claim_id).where(Slot.kind == "redo")).all()
        assert finished
        assert set(redo) == set(finished)
        assert len(redo) == len(finished)
        assert len(session.scalars(select(Voided)).all()) == len(finished)
    while done(database, campaign, settings, bob, Work(verdict="REFUTED")):
        pass
    with database.read() as session:
        left = session.scalars(select(Slot).where(Slot.state == "open")).all()
    assert left == []


def test_many_at_once_get_different_claims(database: Database) -> None:
    campaign, settings = add_campaign(
        database, checks={"quality": 0.3, "five_way": 0.1, "super_annotated": 0.0, "tests": 0.0}
    )
    add_claims(database, campaign, settings, 40)
    people = add_people(database, *(f"p{n}" for n in range(8)))

    def work(person: Person) -> int:
        count = 0
        while done(database, campaign, settings, person):
            count += 1
        return count

    with ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(work, people))
    with database.read() as session:
        rows = session.execute(select(Slot.claim_id, Slot.person_id, Slot.state)).all()
        said = session.execute(select(Annotation.claim_id, Annotation.person_id)).all()
    assert sum(counts) == len(rows) == len(said)
    assert len(set(map(tuple, said))) == len(said)
    assert {state for *_, state in rows} == {"done"}
    assert len({claim for claim, _, _ in rows}) == 40
