"""What is made when the package is built: the page, and the rules compiled with mypyc.

The page is made by build_page.py, for editable installs too, so that an installed package needs no Node.
The rules are compiled if a wheel is built and a C compiler is there; otherwise the wheel stays pure Python.
`GRANADA_COMPILE=0` never compiles, `GRANADA_COMPILE=1` fails where it cannot. Editable installs run the sources.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

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
#: What is compiled: the rules, and what has to be as fast as they are.
COMPILED = (
    "rules/*.py",
    *(f"engine/{name}.py" for name in ENGINE),
    *(f"records/{name}.py" for name in ("luck", "notation", "record", "lines", "replay", "playout")),
)


#: The compiled rules call Python a lot: directly, not through a table of jumps.
LINUX_FLAGS = ["-fno-plt", "-fno-semantic-interposition"]


class BuildHook(BuildHookInterface[Any]):
    """Builds the page, and adds the compiled modules beside their sources."""

    PLUGIN_NAME = "custom"
    _built: Path | None = None

    def dependencies(self) -> list[str]:
        """Node as a wheel, if the page has to be built on a machine that has none."""
        page = self._page()
        return [] if page.is_built() or page.find_node() is not None else [page.NODE_WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page; compile, unless this is an editable install or there is nothing to compile with."""
        page = self._page()
        try:
            page.build()
        except page.PageError as error:
            self.app.abort(str(error))
        self._compile(version, build_data)

    def _page(self) -> Any:
        """The module beside this one, which hatchling does not find by itself."""
        if self.root not in sys.path:
            sys.path.insert(0, self.root)
        import build_page

        return build_page

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
        """Remove what was only needed to build."""
        if self._built is not None:
            shutil.rmtree(self._built, ignore_errors=True)


def compile_rules(source: Path) -> Path:
    """Compile the modules in a place of their own; returns the folder with the results."""
    from mypyc.build import mypycify
    from setuptools import Distribution

    target = Path(tempfile.mkdtemp(prefix="granada-compiled-"))
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(source / "granada", target / "src" / "granada", ignore=ignored)
    before = Path.cwd()
    os.chdir(target / "src")  # mypyc takes the names of modules from relative paths
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
