"""The page that a person sees: own scripts and styles, and the library they run with, which is fetched at build time.

The page is the same for everybody and knows nothing of what is right. Its own files stand beside this module;
``vendor/`` is made by ``hatch_build.py`` when the package is built, and is in no repository. The page is served at
``…/run/TOKEN`` and asks for its files at ``../web/NAME``. Hosts without a server take the same files, with their own
``host-NAME.js`` instead of ``host-server.js`` and with ``local-state.js`` doing what the server does.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from deixis.errors import UsageError

LIBRARY = "jspsych.js"
HOSTS = ("server", "static", "jatos", "cognition", "pavlovia", "datapipe")
"""Where the page can run: each has its ``host-NAME.js``."""
SCRIPTS = (
    LIBRARY,
    "texts.js",
    "elements.js",
    "storage.js",
    "outbox.js",
    "measuring.js",
    "pictures.js",
    "choosing.js",
    "plugin-page.js",
    "plugin-scene-choice.js",
    "plugin-text-choice.js",
    "plugin-scene-rating.js",
    "frame.js",
    "signals.js",
    "ending.js",
)
"""What every host needs, in this order; then come the host's own scripts, and ``run.js`` last."""
STYLE = "study.css"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The content-security policy under which the page runs on a server: a header, since a page cannot refuse frames."""
_LOCAL = "local-state.js"
_SERVED = "../web/"


def names(host: str = "server") -> tuple[str, ...]:
    """Return the names of the files that a host needs at ``web/``, scripts in their order, the style last."""
    return (*_scripts(host), STYLE)


@cache
def content(name: str) -> bytes:
    """Return one file of :func:`names`.

    Raises :class:`UsageError` where the name is none of them, or where the library was not fetched at build time.
    """
    if not any(name in names(host) for host in HOSTS):
        raise UsageError(f"the study page has no file {name!r}")
    folder = files("deixis.study.web")
    path = folder.joinpath("vendor", name) if name == LIBRARY else folder.joinpath(name)
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise UsageError(
            "the study page lacks its library (jsPsych), which is fetched when deixis is installed and was not; "
            "install deixis again with a connection to the npm registry (DEIXIS_WEB=require says why it fails)"
        ) from None


def contents(host: str = "server") -> Mapping[str, bytes]:
    """Return all files that a host needs at ``web/``, by name; raises as :func:`content`."""
    return MappingProxyType({name: content(name) for name in names(host)})


@cache
def page(host: str = "server", web: str = _SERVED, before: Sequence[str] = (), policy: str = "") -> str:
    """Return the page as HTML.

    ``web`` is put before the names of :func:`names`. ``before`` are addresses of scripts that come first, such as the
    manifest of a host without a server, or ``jatos.js``. ``policy`` is a content-security policy to write into the
    page, for where no server sends one.
    """
    text = files("deixis.study.web").joinpath("page.html").read_text(encoding="utf-8")
    first = text.index("<script ")
    last = text.rindex("</script>\n", 0, text.index("</head>")) + len("</script>\n")
    scripts = [*before, *(web + name for name in _scripts(host))]
    lines = "".join(f'<script defer src="{address}"></script>\n' for address in scripts)
    text = text[:first] + lines + text[last:]
    text = text.replace(f'href="{_SERVED}{STYLE}"', f'href="{web}{STYLE}"')
    if policy:
        meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        text = text.replace('<meta charset="utf-8">\n', '<meta charset="utf-8">\n' + meta)
    return text


def _scripts(host: str) -> tuple[str, ...]:
    if host not in HOSTS:
        raise UsageError(f"the study page runs on no host {host!r}; there is {', '.join(HOSTS)}")
    local = () if host == "server" else (_LOCAL,)
    return (*SCRIPTS, *local, f"host-{host}.js", "run.js")
