"""The command line: arguments in, exit codes out. Each command's work is a function in `picspider.commands`."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from picspider import __version__
from picspider.collector import calm
from picspider.commands.exit_codes import ExitCode
from picspider.commands.help import PlainCommand
from picspider.commands.usage import UsageError, put_into_words
from picspider.errors import Interrupted, PicspiderError, in_words
from picspider.output_folder import PARTIAL_SUFFIX

app = typer.Typer(add_completion=False, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)

Options = Annotated[
    list[str] | None,
    typer.Option("-o", "--option", metavar="KEY=VALUE", help="Override a key of the config, as in fetch.delay=2."),
]
Config = Annotated[str, typer.Argument(metavar="CONFIG", help="Path, URL, or name of a shipped config.")]
Output = Annotated[Path, typer.Argument(metavar="OUTPUT", help="The output folder of a crawl.")]
SharedStore = Annotated[
    str | None, typer.Option(metavar="URL", help="Address of the database, if the crawl has a shared store.")
]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Log every request.")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Only warnings and errors.")]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"picspider {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Download the full-size pictures of one section of a site, layer by layer."""


@app.command(cls=PlainCommand)
def demo(
    output: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the results go.")] = Path("downloads/demo"),
    serve: Annotated[bool, typer.Option("--serve", help="Only serve the gallery, until Ctrl-C.")] = False,
) -> None:
    """Crawl an embedded gallery on 127.0.0.1, to see how it goes. It says where pictures and report are."""
    from picspider.commands import demo as command  # noqa: PLC0415 - each command imports only what it needs

    raise typer.Exit(command.serve() if serve else command.demo(output))


@app.command(cls=PlainCommand)
def crawl(
    config: Config,
    option: Options = None,
    *,
    retry: Annotated[
        str | None, typer.Option(metavar="FILE", help="all, or a failures.json: only what failed.")
    ] = None,
    simulate: Annotated[
        bool,
        typer.Option(
            "-s", "--simulate", help="Crawl the pages, only count the pictures. (A setting of Scrapy: scrapy crawl -s.)"
        ),
    ] = False,
    verbose: Verbose = False,
    quiet: Quiet = False,
) -> None:
    """Crawl a config, go on with a crawl, or bring it up to date.

    All by the same command: it goes on after an interruption, and looks for what is new after a finished crawl. Where
    standard error is no terminal, all of Scrapy's log goes there; --quiet leaves warnings and what is missing.
    """
    from picspider.commands.crawl import crawl as run  # noqa: PLC0415 - each command imports only what it needs

    settings = _log_level(verbose=verbose, quiet=quiet)
    if simulate:
        from picspider.commands.simulate import simulate as count  # noqa: PLC0415 - as above

        raise typer.Exit(count(config, overrides_of(option), settings=settings))
    raise typer.Exit(run(config, overrides_of(option), retry=retry, settings=settings))


@app.command(cls=PlainCommand)
def retry(
    output: Output,
    *,
    reason: Annotated[
        list[str] | None, typer.Option(metavar="REASON", help="Only failures with this reason; may be repeated.")
    ] = None,
    status: Annotated[
        list[int] | None, typer.Option(metavar="NUMBER", help="Only failures with this status; may be repeated.")
    ] = None,
    under: Annotated[str | None, typer.Option(metavar="URL", help="Only failures in the subtree of this URL.")] = None,
    config: Annotated[str | None, typer.Option(metavar="CONFIG", help="The config, if its file has moved.")] = None,
    verbose: Verbose = False,
    quiet: Quiet = False,
) -> None:
    """Fetch only what failed, and what hangs on it."""
    from picspider.commands.retry import retry as run  # noqa: PLC0415 - each command imports only what it needs

    settings = _log_level(verbose=verbose, quiet=quiet)
    raise typer.Exit(
        run(output, reasons=reason or (), statuses=status or (), under=under, config=config, settings=settings)
    )


@app.command(cls=PlainCommand)
def tree(
    output: Output,
    layer: Annotated[int | None, typer.Option(metavar="NUMBER", help="Only down to this layer.")] = None,
    state: Annotated[
        Literal["waiting", "running", "done", "error"] | None,
        typer.Option(help="Only what is waiting, running, done or in error, and the pages that lead to it."),
    ] = None,
    store: SharedStore = None,
) -> None:
    """Print the site tree of a crawl."""
    from picspider.commands.tree import Choice  # noqa: PLC0415 - each command imports only what it needs
    from picspider.commands.tree import tree as run  # noqa: PLC0415 - as above
    from picspider.schema import State  # noqa: PLC0415 - as above

    raise typer.Exit(run(output, Choice(layer, State[state] if state else None), store=store))


@app.command(cls=PlainCommand)
def report(
    output: Output,
    thumbnails: Annotated[
        int, typer.Option(metavar="NUMBER", help="Make thumbnails unless there are more pictures.")
    ] = 20_000,
    embed: Annotated[
        int, typer.Option(metavar="NUMBER", help="Put thumbnails into the file unless there are more pictures.")
    ] = 2000,
    store: SharedStore = None,
) -> None:
    """Make OUTPUT/report.html again, with thumbnails."""
    from picspider.commands.report import report as run  # noqa: PLC0415 - each command imports only what it needs

    raise typer.Exit(run(output, store=store, thumbnails=thumbnails, embed=embed))


@app.command(cls=PlainCommand)
def export(
    output: Output,
    format_name: Annotated[Literal["csv", "jsonl"], typer.Option("--format", help="How it is written.")] = "jsonl",
    feed: Annotated[
        str, typer.Option(metavar="NAME", help="Which records: pictures, tree, failures, changes or any other feed.")
    ] = "pictures",
    file: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="A file instead of standard output.")
    ] = None,
    store: SharedStore = None,
) -> None:
    """Write one feed of a crawl as CSV or as JSON lines."""
    from picspider.commands.export import export as run  # noqa: PLC0415 - each command imports only what it needs

    raise typer.Exit(run(output, format_name, feed=feed, file=file, store=store))


@app.command(cls=PlainCommand)
def explain(
    config: Config,
    url: Annotated[str, typer.Argument(metavar="URL", help="The address in question.")],
    on: Annotated[str | None, typer.Option(metavar="PAGE_URL", help="The page it stands on; it is fetched.")] = None,
    option: Options = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Tell which rule takes or refuses a URL, and why. Of a picture also the file name that it would get."""
    from picspider.commands.explain import explain as run  # noqa: PLC0415 - each command imports only what it needs

    raise typer.Exit(run(config, url, on=on, overrides=overrides_of(option), as_json=as_json))


@app.command(cls=PlainCommand)
def learn(
    urls: Annotated[
        list[str] | None, typer.Argument(metavar="URL…", help="Two or three addresses of the layer.")
    ] = None,
    *,
    page: Annotated[
        str | None, typer.Option(metavar="URL_OR_FILE", help="The page they stand on; its other links count.")
    ] = None,
    no: Annotated[
        list[str] | None, typer.Option("--not", metavar="URL", help="An address that is not of the layer.")
    ] = None,
    file: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A file with addresses of the layer, one a line; -: standard input."),
    ] = None,
    method: Annotated[
        str, typer.Option(metavar="NAME", help="default, or alignment: the one of the thesis.")
    ] = "default",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    stdin: Annotated[
        bool, typer.Option("--stdin", help="Answer each line of JSON on standard input by a line.")
    ] = False,
) -> None:
    """Learn a layer's regex from a few of its URLs."""
    from picspider.commands import learn as command  # noqa: PLC0415 - each command imports only what it needs

    if stdin:
        raise typer.Exit(command.learn_lines(sys.stdin, method))
    found = (*(urls or ()), *(command.urls_in(file) if file else ()))
    raise typer.Exit(command.learn_layer(command.Examples(found, tuple(no or ()), page), method, as_json=as_json))


@app.command(cls=PlainCommand)
def propose(
    entry: Annotated[str, typer.Argument(metavar="ENTRY_URL", help="Address of the page to begin with.")],
    file: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="A file instead of standard output.")
    ] = None,
) -> None:
    """Write a whole commented config for a site.

    It begins at the entry page and reads a few pages, and the first bytes of a few pictures; only the config is kept.
    """
    from picspider.commands.propose import propose as run  # noqa: PLC0415 - each command imports only what it needs

    raise typer.Exit(run(entry, file))


@app.command(cls=PlainCommand)
def check(config: Config, option: Options = None) -> None:
    """Validate a config and try it on a few pages of each layer. What it finds there is compared with its last run."""
    from picspider.commands.check import check as run  # noqa: PLC0415 - each command imports only what it needs

    raise typer.Exit(run(config, overrides_of(option)))


@app.command(cls=PlainCommand)
def serve(
    output: Output,
    port: Annotated[
        int, typer.Option(metavar="NUMBER", min=0, max=65535, help="Port on 127.0.0.1; 0: any free one.")
    ] = 0,
    store: SharedStore = None,
) -> None:
    """Show the report live on 127.0.0.1, and start retries from it. During a crawl or after it."""
    from picspider.commands.serve import serve as run  # noqa: PLC0415 - each command imports only what it needs

    raise typer.Exit(run(output, port, store=store))


@app.command(cls=PlainCommand)
def schedule(
    *,
    config: Config,
    scrapyd: Annotated[
        list[str], typer.Option(metavar="URL", help="Address of a Scrapyd; repeat it to spread workers over several.")
    ],
    workers: Annotated[
        int, typer.Option(metavar="NUMBER", min=1, help="Jobs that share the crawl; more than one need a store.")
    ] = 1,
    option: Options = None,
    setting: Annotated[
        list[str] | None,
        typer.Option("-s", "--setting", metavar="NAME=VALUE", help="A setting of Scrapy, as with scrapy crawl -s."),
    ] = None,
    project: Annotated[
        str, typer.Option(metavar="NAME", help="The name that picspider was deployed under.")
    ] = "picspider",
) -> None:
    """Have a Scrapyd run a config. Prints the ids of the jobs, and where their logs are."""
    from picspider.commands.schedule import Place  # noqa: PLC0415 - each command imports only what it needs
    from picspider.commands.schedule import schedule as run  # noqa: PLC0415 - as above

    raise typer.Exit(run(config, overrides_of(option), Place(scrapyd, workers, project, setting or ())))


def _log_level(*, verbose: bool, quiet: bool) -> dict[str, str]:
    return {"LOG_LEVEL": "DEBUG" if verbose else "WARNING" if quiet else "INFO"}


def overrides_of(options: list[str] | None) -> dict[str, str]:
    """KEY=VALUE texts as a map. Raises typer.BadParameter for one without `=`."""
    pairs = {}
    for option in options or []:
        key, mark, value = option.partition("=")
        if not mark:
            raise typer.BadParameter(f"{option!r} is not KEY=VALUE", param_hint="-o")
        pairs[key.strip()] = value
    return pairs


def main() -> None:
    """Run the command line; the one handler of errors that a user can act on."""
    calm()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # not every console can show every name
    try:
        # Typer would print its errors in the words of its parts, and end with 2, which here is a crawl with failures.
        sys.exit(app(standalone_mode=False))
    except PicspiderError as exc:
        typer.echo(f"picspider: {exc}", err=True)
    except UsageError as exc:
        put_into_words(exc)
        exc.show()
    except OSError as exc:
        if exc.filename is None:
            raise
        typer.echo(f"picspider: {str(exc.filename).removesuffix(PARTIAL_SUFFIX)}: {in_words(exc)}", err=True)
    except (Interrupted, typer.Abort):
        typer.echo("picspider: interrupted", err=True)
        sys.exit(ExitCode.interrupted)
    sys.exit(ExitCode.error)


if __name__ == "__main__":
    main()
