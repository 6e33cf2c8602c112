"""Build hooks: the web client, Python for the static site, the rules compiled with mypyc, and a README for PyPI.

The web client is built by build_page.py, also for editable installs, so that an installed package needs no Node.
Wheels and source distributions also contain what `granada site` writes, built by build_site.py unless `GRANADA_SITE=0`.
The rules are compiled when a wheel is built and there is a C compiler; otherwise the wheel is pure Python.
`GRANADA_COMPILE=0` never compiles, `GRANADA_COMPILE=1` fails if it cannot. Editable installs run the sources.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

#: The compiled part of the engine; the learned model uses NumPy arrays and stays interpreted.
ENGINE = [
    "evaluation",
    "features",
    "policy",
    "purse",
    "quick_luck",
    "rollout",
    "self_play",
    "standing",
    "weights",
]
#: The compiled part of the environments: what every step needs, without NumPy.
LEARNING = [
    "batch",
    "encoder",
    "illegal",
    "layout",
    "opponents",
    "partial_word",
    "rewards",
    "seat_game",
    "token_game",
    "tokens",
    "variants",
]
#: All compiled modules: the rules and other speed-critical code.
COMPILED = (
    "rules/*.py",
    *(f"engine/{name}.py" for name in ENGINE),
    *(f"learning/{name}.py" for name in LEARNING),
    *(f"records/{name}.py" for name in ("luck", "notation", "record", "lines", "replay", "playout")),
)


#: Compiled code calls the Python API very often: make these calls direct, not through the procedure linkage table.
#: And round after every operation, as the interpreter does, so that bots choose the same on every processor.
LINUX_FLAGS = ["-fno-plt", "-fno-semantic-interposition", "-ffp-contract=off"]


class BuildHook(BuildHookInterface[Any]):
    """Builds the web client and Python for the site, and adds the compiled modules next to their sources."""

    PLUGIN_NAME = "custom"
    _built: Path | None = None

    def dependencies(self) -> list[str]:
        """Return what has to be installed for building: Node, unless the machine has it, and pip."""
        page, site = self._scripts()
        is_site_built = _leaves_site_out() or site.is_built()
        needs_node = not (page.is_built() and is_site_built) and page.find_node() is None
        needs_pip = not is_site_built and site.needs_pip()
        return [page.NODE_WHEEL] * needs_node + ["pip"] * needs_pip

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the client and the site; and for a wheel the compiled rules if there is a C compiler."""
        page, site = self._scripts()
        try:
            page.build()
            if version != "editable" and not _leaves_site_out():
                site.build()
        except (page.PageError, site.SiteError) as error:
            self.app.abort(str(error))
        if self.target_name == "wheel":
            self._compile(version, build_data)

    def _scripts(self) -> tuple[Any, Any]:
        """Return build_page and build_site, which hatchling cannot import by itself."""
        if self.root not in sys.path:
            sys.path.insert(0, self.root)
        import build_page
        import build_site

        return build_page, build_site

    def _compile(self, version: str, build_data: dict[str, Any]) -> None:
        wish = os.environ.get("GRANADA_COMPILE", "")
        if version == "editable" or wish == "0":
            return
        compiler = os.environ.get("CC") or (sysconfig.get_config_var("CC") or "cc").split()[0]
        if not shutil.which(compiler.split()[0]) and wish != "1":
            self.app.display_warning("No C compiler: the rules are not compiled and will run interpreted.")
            return
        try:
            built = compile_rules(Path(self.root) / "src")
        except Exception as error:
            if wish == "1":
                raise
            self.app.display_warning(f"The rules could not be compiled and will run interpreted: {error}")
            return
        self._built = built.parent
        for path in built.rglob("*"):
            if path.suffix in (".so", ".pyd"):
                build_data["force_include"][str(path)] = str(path.relative_to(built))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove temporary files."""
        if self._built is not None:
            shutil.rmtree(self._built, ignore_errors=True)


def _leaves_site_out() -> bool:
    return os.environ.get("GRANADA_SITE") == "0"


class ReadmeHook(MetadataHookInterface):
    """Sets the long description, in which relative links would be broken."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add README.md; its links lead to the repository once `[project.urls]` has a `Repository`."""
        text = (Path(self.root) / "README.md").read_text("utf-8")
        address = metadata.get("urls", {}).get("Repository", "")
        metadata["readme"] = {"content-type": "text/markdown", "text": standalone_readme(text, address)}


#: A picture, in HTML or Markdown, and a link: only those with a relative address.
PICTURE = re.compile(r'(?P<before><img src="|!\[[^]]*]\()(?![a-z]+:)(?P<path>[^")]+)(?P<after>"[^>]*>|\)) *')
LINK = re.compile(r"(?<!!)\[(?P<text>[^]]+)]\((?![a-z]+:)(?P<path>[^)]+)\)")


def standalone_readme(text: str, repository: str = "") -> str:
    """Return the README with absolute links; without an address, pictures are left out and links become paths."""
    address = repository.rstrip("/")
    if address:
        text = PICTURE.sub(rf"\g<before>{address}/raw/HEAD/\g<path>\g<after> ", text)
        return LINK.sub(rf"[\g<text>]({address}/blob/HEAD/\g<path>)", text)
    return LINK.sub(_without_link, PICTURE.sub("", text))


def _without_link(link: re.Match[str]) -> str:
    path = link["path"].partition("#")[0]
    return f"`{path}`" if link["text"].strip("`") in path else f"{link['text']} (`{path}`)"


def compile_rules(source: Path) -> Path:
    """Compile the modules in a temporary folder and return the folder with the results."""
    from mypyc.build import mypycify
    from setuptools import Distribution

    target = Path(tempfile.mkdtemp(prefix="granada-compiled-"))
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(source / "granada", target / "src" / "granada", ignore=ignored)
    before = Path.cwd()
    os.chdir(target / "src")  # mypyc derives module names from relative paths
    sys.path.insert(0, ".")
    try:
        modules = [str(path) for pattern in COMPILED for path in sorted(Path("granada").glob(pattern))]
        modules = [module for module in modules if not module.endswith("__init__.py")]
        extensions = mypycify(["--strict", "--no-error-summary", *modules], opt_level="3", target_dir=str(target / "c"))
        if sys.platform == "linux":
            for extension in extensions:
                extension.extra_compile_args += LINUX_FLAGS
        distribution = Distribution({"name": "granada", "ext_modules": extensions})
        command = distribution.get_command_obj("build_ext")
        command.build_lib = str(target / "lib")
        command.build_temp = str(target / "temp")
        command.ensure_finalized()
        command.run()
    finally:
        sys.path.remove(".")
        os.chdir(before)
    return target / "lib"
