"""What makes a good data set, as pure functions: claims, mutations, samples, grades, votes.

Nothing here knows a database or a page. The workbench's screens, imports, the data factory and
`feverfew rules check` call the same functions.
"""

from feverfew.rules.aggregation import Decision, Judgement, aggregate, majority, unite_sets
from feverfew.rules.mutations import (
    MUTATIONS,
    Mutation,
    changed_spans,
    check_mutation,
    draw_mutation,
    mutation_named,
)
from feverfew.rules.qualification import Grade, Standing, grade, standing
from feverfew.rules.requirements import KINDS, RULES, Hit, Rule, check_claim

__all__ = [
    "KINDS",
    "MUTATIONS",
    "RULES",
    "Decision",
    "Grade",
    "Hit",
    "Judgement",
    "Mutation",
    "Rule",
    "Standing",
    "aggregate",
    "changed_spans",
    "check_claim",
    "check_mutation",
    "draw_mutation",
    "grade",
    "majority",
    "mutation_named",
    "standing",
    "unite_sets",
]
