"""The `feverfew` command: a table of commands, each loaded only when it is called."""

import sys
from importlib import import_module

import click

from feverfew import errors

COMMANDS = {
    "check": "check claims, or a document, and show the evidence",
    "verify": "label a file of claims in the official formats",
    "judge": "judge claims by evidence that you provide",
    "calibrate": "fit an external judge's confidence to a labelled file",
    "index": "build a corpus from files",
    "watch": "keep a corpus up to date while its files change",
    "search": "find the pages that matter to a claim",
    "evidence": "find the sentences most likely to decide a claim",
    "show": "print a page, or one element of it",
    "info": "describe a corpus",
    "fsck": "check every part of a corpus against its manifest",
    "add": "add pages to a corpus",
    "replace": "replace pages of a corpus with new versions",
    "remove": "remove pages from a corpus",
    "score": "score predictions by the official rules of FEVER, FEVEROUS or HoVer",
    "compare": "compare two systems' predictions on the same claims",
    "agreement": "measure how well annotators agree",
    "bias": "measure what claims reveal about their labels",
    "errors": "code a system's errors by hand and count them",
    "rules": "check claims against the requirements of the papers",
    "workbench": "let people write, label and check claims",
    "arena": "host a shared task with blind data, and submit to one",
    "factory": "make a data set from a corpus, and check any data set",
    "replay": "repeat an audited check and compare the results",
    "serve": "serve a web page and an HTTP API",
    "mcp": "serve agents over the Model Context Protocol",
    "keys": "create, list and remove the keys of a server",
    "train": "train the encoder that selects and judges evidence",
    "reproduce": "run the papers' own systems and compare their tables with the papers'",
}
"""Each command's one-line help, by name."""
_MODULES = {
    **dict.fromkeys(("add", "replace", "remove"), "index"),
    **dict.fromkeys(("show", "fsck"), "info"),
    **dict.fromkeys(("mcp", "keys"), "serve"),
    "evidence": "search",
    "compare": "score",
}
"""The module of a command, if its name differs from the command's."""

INTERRUPTED = 130
"""The exit code that shells expect after Ctrl-C."""
EXIT_CODES = {errors.Tampered: 1, errors.InputError: 2, errors.CorpusError: 3, errors.NotFound: 4}


class LazyGroup(click.Group):
    """Import a command's module only when it runs: `--help` and start-up stay fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"feverfew.cli.{_MODULES.get(cmd_name, cmd_name)}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="feverfew")
def cli() -> None:
    """Check a claim against a corpus you trust.

    \b
    feverfew check "Fritz Lang directed Metropolis."
    feverfew index my-documents/ -o my.corpus
    feverfew check --corpus my.corpus "We reimburse train tickets."

    Results go to stdout, everything else to stderr. Exit codes: 0 success, 1 a check failed, 2 bad
    input or usage, 3 the corpus cannot be used, 4 not found, 130 interrupted.
    """


def main() -> None:
    """Run the command line; one of our errors becomes one line on stderr and an exit code."""
    try:
        code = cli.main(standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.Abort:
        click.echo("feverfew: interrupted", err=True)
        sys.exit(INTERRUPTED)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except errors.FeverfewError as error:
        from feverfew.cli.output import plain

        click.echo(plain(f"feverfew: {error}"), err=True)
        codes = (code for kind, code in EXIT_CODES.items() if isinstance(error, kind))
        sys.exit(next(codes, 2))
    except BrokenPipeError:
        # The reader closed the pipe (`| head`): not an error.
        sys.stderr.close()
        sys.exit(0)
