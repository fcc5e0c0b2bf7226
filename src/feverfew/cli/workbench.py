"""`feverfew workbench`: create, serve, fill, export and back up an annotation workbench."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from feverfew.cli.output import plural, print_json, stderr_console, stdout
from feverfew.errors import InputError, MissingExtra

if TYPE_CHECKING:
    from types import ModuleType

_DIRECTORY = click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def serve_options(port: int) -> Callable[[Any], Any]:
    """Add the options that say where to listen."""
    on_host = click.option(
        "--host", default="127.0.0.1", show_default=True, help="The address to listen on."
    )
    on_port = click.option(
        "--port",
        default=port,
        show_default=True,
        type=click.IntRange(0, 65_535),
        help="The port; 0 for a free one.",
    )
    return lambda command: on_host(on_port(command))


def load_part(name: str) -> "ModuleType":
    """Import a part of the workbench, or say what to install."""
    from importlib import import_module

    try:
        return import_module(f"feverfew.{name}")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("feverfew"):
            raise
        raise MissingExtra("the workbench", "workbench") from None


@click.group("workbench")
def workbench() -> None:
    """Let people write, label and check claims over a corpus, as FEVER, FEVEROUS and HoVer did.

    \b
    feverfew workbench init bench --demo
    feverfew workbench serve bench
    """


@workbench.command("init")
@_DIRECTORY
@click.option("--corpus", type=click.Path(path_type=Path), help="A corpus; the sample by default.")
@click.option("--database", metavar="URL", help="A PostgreSQL URL; SQLite in DIRECTORY by default.")
@click.option("--demo", is_flag=True, help="Add a campaign of each kind, to try.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one value per line.")
def init(
    directory: Path, corpus: Path | None, database: str | None, demo: bool, as_json: bool
) -> None:
    """Create a workbench, and print the invitation of its first organiser.

    \b
    feverfew workbench init bench --corpus my.corpus
    feverfew workbench init bench --database postgresql://me@localhost/bench
    """
    bench = load_part("workbench.bench")
    token = bench.init_bench(directory, corpus, database)
    made: list[str] = []
    if demo:
        with bench.open_bench(directory) as opened:
            made = load_part("workbench.demo").add_demo(opened)
    if as_json:
        print_json({"directory": str(directory), "invitation": f"/join/{token}", "campaigns": made})
        return
    for name in made:
        stdout().print(f"campaign {name}", markup=False)
    stdout().print(f"serve it with: feverfew workbench serve {directory}", markup=False)
    stdout().print(f"then open the organiser's invitation: /join/{token}", markup=False)


@workbench.command("serve")
@_DIRECTORY
@serve_options(8770)
def serve(directory: Path, host: str, port: int) -> None:
    """Serve a workbench. Ctrl-C or SIGTERM stops it after open requests are answered.

    \b
    feverfew workbench serve bench --port 8770
    """
    serve_bench(directory, host, port, load_part("workbench.app").run_bench)


def serve_bench(directory: Path, host: str, port: int, run: Callable[..., None]) -> None:
    """Serve what lies in a workbench's directory, and say where."""
    from feverfew.server.middleware import log_to_stderr

    with load_part("workbench.bench").open_bench(directory) as opened:
        log_to_stderr()
        run(
            opened,
            host,
            port,
            lambda url: stderr_console().print(f"listening on {url}", markup=False),
        )


@workbench.command("invite")
@_DIRECTORY
@click.option("--role", "roles", multiple=True, required=True, help="A role; may be repeated.")
@click.option("--campaign", metavar="NAME", help="The campaign of the roles; all by default.")
def invite(directory: Path, roles: tuple[str, ...], campaign: str | None) -> None:
    """Create an invitation, and print the path of its link.

    \b
    feverfew workbench invite bench --role writer --role annotator
    """
    bench, people = load_part("workbench.bench"), load_part("store.people")
    campaigns = load_part("store.campaigns")
    with bench.open_bench(directory) as opened, opened.database.write() as session:
        found = campaigns.campaign_named(session, campaign).id if campaign else None
        token = people.invite(session, roles, campaign_id=found)
    stdout().print(f"/join/{token}", markup=False)


@workbench.command("campaign")
@_DIRECTORY
@click.argument("name")
@click.argument("settings", type=_FILE)
@click.option("--questions", type=_FILE, help="Questions with answers, for HoVer: JSON lines.")
@click.option(
    "--gold",
    "golds",
    multiple=True,
    metavar="USE=FILE",
    help="Labelled claims as quiz, calibration, calibration2 or test; may be repeated.",
)
def campaign(
    directory: Path,
    name: str,
    settings: Path,
    questions: Path | None,
    golds: tuple[str, ...],
) -> None:
    """Create a campaign from a TOML file, and draw its sources from the corpus.

    \b
    feverfew workbench campaign bench rivers rivers.toml --gold test=tests.jsonl
    """
    bench, demo = load_part("workbench.bench"), load_part("workbench.demo")
    sources = load_part("workbench.sources")
    read = load_part("store.settings").read_settings(settings)
    asked = tuple(sources.read_questions(questions)) if questions else ()
    if read.kind == "hover" and not asked:
        raise InputError("a HoVer campaign needs --questions")
    given = [_gold(one) for one in golds]
    with bench.open_bench(directory) as opened:
        made, count = demo.add_campaign(opened, name, read, asked)
        stdout().print(f"{name}: {plural(count, 'source')}", markup=False)
        for use, phase, path in given:
            from feverfew.readers.claims import read_claims

            with opened.database.write() as session:
                added = sources.add_golds(session, made, read, read_claims(path), use, phase)
            stdout().print(f"{use}: {plural(added, 'claim')}", markup=False)


def _gold(given: str) -> tuple[str, int, Path]:
    use, _, path = given.partition("=")
    uses = {"quiz": ("quiz", 0), "test": ("test", 0)}
    uses |= {"calibration": ("calibration", 0), "calibration2": ("calibration", 1)}
    if use not in uses or not Path(path).is_file():
        raise InputError(f"--gold {given}: write USE=FILE; USE is one of {', '.join(uses)}")
    return (*uses[use], Path(path))


@workbench.command("settings")
@_DIRECTORY
@click.argument("name")
def settings(directory: Path, name: str) -> None:
    """Print all settings of a campaign as TOML.

    \b
    feverfew workbench settings bench fever-demo > mine.toml
    """
    bench, campaigns = load_part("workbench.bench"), load_part("store.campaigns")
    with bench.open_bench(directory) as opened, opened.database.read() as session:
        found = campaigns.settings_of(campaigns.campaign_named(session, name))
    click.echo(load_part("store.settings").as_toml(found), nl=False)


@workbench.command("export")
@_DIRECTORY
@click.argument("name")
@click.option(
    "--form",
    default="",
    metavar="FORM",
    help="fever, feverous, hover, annotations, claims, hours or profiles; the data set by default.",
)
def export(directory: Path, name: str, form: str) -> None:
    """Print a campaign's data set, or its raw annotations, claims, hours or profiles.

    \b
    feverfew workbench export bench fever-demo > train.jsonl
    feverfew workbench export bench fever-demo --form annotations > annotations.jsonl
    """
    bench, campaigns = load_part("workbench.bench"), load_part("store.campaigns")
    exporting: Any = load_part("workbench.export")
    with bench.open_bench(directory) as opened, opened.database.read() as session:
        found = campaigns.campaign_named(session, name)
        data = exporting.export(session, found, form)
    click.echo(data, nl=False)


@workbench.command("backup")
@_DIRECTORY
def backup(directory: Path) -> None:
    """Print the content of a workbench, one JSON line per row.

    \b
    feverfew workbench backup bench > bench.jsonl
    """
    bench, transfer = load_part("workbench.bench"), load_part("store.transfer")
    with bench.open_bench(directory) as opened:
        for line in transfer.dump(opened.database):
            click.echo(line, nl=False)


@workbench.command("restore")
@_DIRECTORY
@click.argument("file", type=_FILE)
def restore(directory: Path, file: Path) -> None:
    """Restore a backup into a new workbench, completely or not at all.

    \b
    feverfew workbench init copy && feverfew workbench restore copy bench.jsonl
    """
    bench, transfer = load_part("workbench.bench"), load_part("store.transfer")
    with bench.open_bench(directory) as opened, file.open("rb") as lines:
        count = transfer.load(opened.database, lines, str(file))
    stderr_console().print(f"{plural(count, 'row')} restored", markup=False)
