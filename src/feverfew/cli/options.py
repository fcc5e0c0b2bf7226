"""Options that several commands share."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, cast

import click

if TYPE_CHECKING:
    from feverfew.corpus import Corpus

F = TypeVar("F", bound=Callable[..., Any])


def json_option(command: F) -> F:
    """Add `--json` as the parameter `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, one value per line.")(
        command
    )


def html_option(command: F) -> F:
    """Add `--html FILE` as the parameter `html`."""
    return click.option(
        "--html",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write a self-contained HTML page.",
    )(command)


def corpus_option(command: F) -> F:
    """Add `--corpus` as the parameter `directory`."""
    return click.option(
        "--corpus",
        "directory",
        type=click.Path(path_type=Path),
        envvar="FEVERFEW_CORPUS",
        help="A corpus directory; the sample encyclopedia by default. [env: FEVERFEW_CORPUS]",
    )(command)


def open_corpus(directory: Path | None) -> "Corpus":
    """Open the corpus a user named, or the sample."""
    from feverfew.corpus import Corpus

    return Corpus.sample() if directory is None else Corpus.open(directory)


class _WorkersType(click.ParamType[int | str]):
    """A number of processes, or a Ray cluster."""

    name = "workers"

    def __init__(self, least: int) -> None:
        self._least = least

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | str:
        """Return a number, or the cluster's name as it was given."""
        if value == "ray" or (value.startswith("ray://") and ":" in value[6:]):
            return value
        if value.isdecimal() and int(value) >= self._least:
            return int(value)
        return self.fail(f"{value!r} is not a number from {self._least} on, ray or ray://HOST:PORT")


def workers_option(least: int, what: str) -> Callable[[F], F]:
    """Add `--workers`: processes of this machine, or of a Ray cluster."""
    return click.option(
        "--workers",
        type=_WorkersType(least),
        metavar="N|ray|ray://HOST:PORT",
        help=f"{what}; one per core by default. Or ray, or the address of a Ray cluster.",
    )


def model_option(command: F) -> F:
    """Add `--model DIR`."""
    return click.option(
        "--model",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="A model of your own; or small: the built-in one without its large encoder.",
    )(command)


def max_hops_option(command: F) -> F:
    """Add `--max-hops N`."""
    return click.option(
        "--max-hops",
        default=4,
        show_default=True,
        type=click.IntRange(1, 4),
        metavar="N",
        help="The longest chain of pages that a claim may need; 1 to follow no links.",
    )(command)


def max_tables_option(command: F) -> F:
    """Add `--max-tables N`."""
    return click.option(
        "--max-tables",
        default=3,
        show_default=True,
        type=click.IntRange(0, 50),
        metavar="N",
        help="Tables to read for a claim; 0 for none.",
    )(command)


def label_policy_option(command: F) -> F:
    """Add `--label-policy`; None means the policy of the format, or FEVER's."""
    return click.option(
        "--label-policy",
        type=click.Choice(["fever", "feverous"]),
        help="When to refute: on explicit evidence, or if a reader would be misled.",
    )(command)


def min_confidence_option(command: F) -> F:
    """Add `--min-confidence SHARE`."""
    return click.option(
        "--min-confidence",
        default=0.4,
        show_default=True,
        type=click.FloatRange(0, 1),
        metavar="SHARE",
        help="Answer NOT ENOUGH INFO below this probability, and say which way the evidence leans.",
    )(command)


def judge_model_option(command: F) -> F:
    """Add `--judge-model NAME`."""
    return click.option(
        "--judge-model",
        default="",
        metavar="NAME",
        help="The model's name at the endpoint.",
    )(command)


def external_judge_options(command: F) -> F:
    """Add `--judge URL`, `--judge-model NAME` and `--judge-calibration FILE`."""
    for option in (
        click.option(
            "--judge-calibration",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            metavar="FILE",
            help="A file written by 'feverfew calibrate'.",
        ),
        judge_model_option,
        click.option(
            "--judge",
            default="",
            metavar="URL",
            help="Let an OpenAI-compatible endpoint read the evidence that decides: claims and "
            "evidence are sent there. The key is in FEVERFEW_JUDGE_KEY or OPENAI_API_KEY. Or a "
            "folder that 'feverfew train import' wrote.",
        ),
    ):
        command = option(command)
    return command


class ExternalJudge(TypedDict):
    """The options of `Checker.open` that name an external judge."""

    judge: str
    judge_model: str
    judge_calibration: str


def external_judge(judge: str, judge_model: str, judge_calibration: Path | None) -> ExternalJudge:
    """Name the external judge as `Checker.open` takes it; places in full."""
    if (judge_model or judge_calibration) and not judge:
        raise click.UsageError("--judge-model and --judge-calibration need --judge URL")
    return {
        "judge": str(Path(judge).absolute()) if judge and Path(judge).is_dir() else judge,
        "judge_model": judge_model,
        "judge_calibration": str(judge_calibration.absolute()) if judge_calibration else "",
    }


def checker_settings(command: F) -> F:
    """Add the options of `Checker.open`, and pass them as the parameter `settings`.

    The command must have a parameter `directory`, the corpus.
    """

    @wraps(command)
    def with_settings(
        *,
        directory: Path | None,
        model: Path | None,
        max_hops: int,
        max_tables: int,
        label_policy: str | None,
        min_confidence: float,
        judge: str,
        judge_model: str,
        judge_calibration: Path | None,
        **others: Any,
    ) -> Any:
        from feverfew.judge.judge import SMALL
        from feverfew.render.audit import Settings

        # Absolute, since an audit report may be replayed from another folder.
        corpus = str(directory.absolute()) if directory else ""
        own = str(model.absolute()) if model and str(model) != SMALL else str(model or "")
        policy = label_policy or "fever"
        external = external_judge(judge, judge_model, judge_calibration)
        settings = Settings(corpus, own, max_hops, max_tables, policy, min_confidence, **external)
        return command(settings=settings, **others)

    for option in (
        external_judge_options,
        min_confidence_option,
        label_policy_option,
        max_tables_option,
        max_hops_option,
        model_option,
    ):
        with_settings = option(with_settings)
    return cast(F, with_settings)
