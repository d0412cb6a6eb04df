"""The beginning of a run: the store is opened, what a killed run left is finished, and what this one is, is decided."""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete
from sqlalchemy.exc import ArgumentError

from picspider.config.secrets import holds_secrets, secret_keys
from picspider.errors import ConfigError, StoreError, in_words, no_database
from picspider.frontier.run.beginning import RENAME_KEY, begin
from picspider.frontier.run.missing import PICTURES_KEY
from picspider.frontier.store.store import Store
from picspider.output_folder import OutputFolder
from picspider.pictures.renaming import finish_moves, rename_all
from picspider.schema import meta
from picspider.settings_bridge import output_folder

if TYPE_CHECKING:
    from picspider.config.model import Crawl
    from picspider.frontier.run.beginning import Beginning

logger = logging.getLogger(__name__)

LONGEST_PATH = 250
MADE_BY_KEY = "config"
# The arguments of the spiders that are no keys of the config; Scrapyd's own begin with a line: `_job`.
OWN_ARGUMENTS = ("config", "overrides", "retry")


@dataclass(frozen=True, slots=True)
class MadeBy:
    """The config that a crawl was made with: its source as given, and the keys that were overridden."""

    source: str
    overrides: dict[str, str]


def made_by(store: Store) -> MadeBy | None:
    """How the crawl in *store* was made; None when that was not kept."""
    kept = store.get_meta(MADE_BY_KEY)
    return None if kept is None else MadeBy(**json.loads(kept))


def open_store(
    url: str, arguments: dict[str, Any], config: Crawl, pictures: Path | None = None
) -> tuple[Store, Beginning]:
    """Open and lock the store, and decide what this run is: a new crawl, one that goes on, a refresh, or a retry.

    *arguments* are the spider's, *pictures* is the folder of the pictures, None when they go elsewhere. Raises
    `StoreError`.
    """
    try:
        store = Store(url)
    except OSError as exc:
        raise StoreError(f"{exc.filename}: the output folder cannot be made or used: {in_words(exc)}") from exc
    except (ArgumentError, ImportError) as exc:
        raise no_database(url) from exc
    try:
        store.acquire()
        here = pictures == OutputFolder(output_folder(config)).pictures
        store.set_meta(PICTURES_KEY, "here" if here else "elsewhere")
        # What other workers write to as well is not moved about.
        mine = pictures if not store.shared else None
        if mine is not None:
            with store.transaction() as connection:
                finish_moves(connection, mine)  # of a run that was killed at it
        beginning = begin(store, arguments.get("retry"), as_kept(config), mine)
        if mine is not None:
            catch_up_with_names(store, config.pictures.name, mine)
        _keep_source(store, arguments, config)
    except BaseException:
        store.close()
        raise
    return store, beginning


def catch_up_with_names(store: Store, template: str, pictures: Path) -> None:
    """Rename what is stored if the template is another one.

    A killed run leaves the wish in the store; what it has renamed keeps its name when it is looked at again.
    """
    if store.get_meta(RENAME_KEY) is None:
        return
    renamed = rename_all(store.transaction, pictures, template)
    with store.transaction() as connection:
        connection.execute(delete(meta).where(meta.c.key == RENAME_KEY))
    # That they would be has been told: `picspider.frontier.run.beginning.tell`.
    logger.debug("%d stored pictures were renamed by the new pictures.name", renamed)


def _keep_source(store: Store, arguments: dict[str, Any], config: Crawl) -> None:
    """A retry has to find its config again; a text that holds secrets is not kept, a file's name is."""
    source = str(arguments.get("config"))
    if "\n" in source and holds_secrets(config):
        return
    if "\n" not in source and len(source) < LONGEST_PATH and Path(source).is_file():
        source = str(Path(source).absolute())
    secret = secret_keys()
    kept = {key: value for key, value in overrides_of(arguments).items() if key.partition(".")[0] not in secret}
    store.set_meta(MADE_BY_KEY, json.dumps(asdict(MadeBy(source, kept))))


def overrides_of(arguments: dict[str, Any]) -> dict[str, str]:
    """Keys of the config that spider arguments override, as `-a output=` does, and the command line's `-o`.

    A name that is no key of the config is left to `load_config`, which refuses it. Raises ConfigError when
    `overrides` is a text (`picspider schedule` sends JSON), but no object of JSON.
    """
    direct = {key: str(value) for key, value in arguments.items() if value is not None and not is_own(key)}
    given = arguments.get("overrides") or {}
    if isinstance(given, str):
        try:
            given = {str(key): str(value) for key, value in json.loads(given).items()}
        except (ValueError, AttributeError) as exc:
            raise ConfigError(f"overrides: {given!r} is not an object of JSON") from exc
    return {**given, **direct}


def is_own(argument: str) -> bool:
    """Whether a spider's argument says how to run, and is no key of the config."""
    return argument in OWN_ARGUMENTS or argument.startswith("_")


def as_kept(config: Crawl) -> str:
    """*config* as JSON, as it is kept with each run: what was written in it, without secrets."""
    return json.dumps(config.model_dump(mode="json", exclude_unset=True, exclude=set(secret_keys())))
