"""The files of a dataset: columns of arrays as NPZ or Parquet, and the metadata."""

from __future__ import annotations

import io
import json
import os
import zipfile
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from granada.learning.missing import missing
from granada.rules.errors import BadOptions

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise missing(error) from None

NPZ: Final = "npz"
PARQUET: Final = "parquet"
FORMATS: Final = (NPZ, PARQUET)
METADATA: Final = "metadata.json"
_FORMAT: Final = "granada-dataset-1"
#: Most bytes are 0, so the fastest compression is enough.
_COMPRESSION: Final = 1

#: Arrays by name, with a row for each step.
Columns = dict[str, NDArray[Any]]


class BadDataset(ValueError):
    """A dataset cannot be read, written or continued; the message names it."""


def check_format(name: str) -> None:
    """Raise BadOptions if files of this format cannot be written here."""
    if name not in FORMATS:
        raise BadOptions(f"the format '{name}' is none of {', '.join(FORMATS)}")
    if name == PARQUET:
        _arrow()


def encode(columns: Columns, name: str) -> bytes:
    """Return the content of a file."""
    return _as_npz(columns) if name == NPZ else _as_parquet(columns)


def decode(path: Path) -> Columns:
    """Read a file."""
    try:
        return _from_npz(path) if path.suffix == f".{NPZ}" else _from_parquet(path)
    except OSError as error:
        raise BadDataset(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, KeyError, zipfile.BadZipFile) as error:
        raise BadDataset(f"{path} is not a shard of a dataset: {str(error).splitlines()[0]}") from None


def _as_npz(columns: dict[str, NDArray[Any]]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, column in columns.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, column, allow_pickle=False)
            # Without a date, so that the same games always give the same file.
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), member.getbuffer(), zipfile.ZIP_DEFLATED, _COMPRESSION)
    return file.getvalue()


def _as_parquet(columns: dict[str, NDArray[Any]]) -> bytes:
    arrow, parquet = _arrow()
    arrays = {}
    for name, column in columns.items():
        if column.ndim == 1:
            arrays[name] = arrow.array(column)
        else:
            kind = arrow.binary(column.shape[1])
            arrays[name] = arrow.Array.from_buffers(kind, len(column), [None, arrow.py_buffer(column.tobytes())])
    file = io.BytesIO()
    parquet.write_table(arrow.table(arrays), file, compression="zstd", compression_level=_COMPRESSION)
    return file.getvalue()


def _arrow() -> tuple[Any, Any]:
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise BadOptions("pyarrow is not installed: pip install 'granada[parquet]'") from None


def _from_npz(path: Path) -> Columns:
    with np.load(path, allow_pickle=False) as stored:
        return {name: stored[name] for name in stored.files}


def _from_parquet(path: Path) -> Columns:
    arrow, parquet = _arrow()
    columns: Columns = {}
    table = parquet.read_table(path)
    for name in table.column_names:
        column = table[name].combine_chunks()
        if arrow.types.is_fixed_size_binary(column.type):
            width = column.type.byte_width
            numbers = np.frombuffer(column.buffers()[1], np.uint8, len(column) * width, column.offset * width)
            columns[name] = numbers.reshape(len(column), width)
        else:
            columns[name] = column.to_numpy()
    return columns


def read_metadata(folder: Path) -> dict[str, Any]:
    """Return the metadata of a dataset."""
    path = folder / METADATA
    try:
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise BadDataset(f"{folder} is not a dataset: cannot read {METADATA}: {error.strerror}") from None
    except ValueError:
        data = None
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        raise BadDataset(f"{folder} is not a dataset of this version: {METADATA} does not say so")
    return data


def write_metadata(folder: Path, data: dict[str, Any]) -> None:
    """Write the metadata of a dataset."""
    write_file(folder / METADATA, (json.dumps({"format": _FORMAT, **data}, indent=2) + "\n").encode())


def write_file(path: Path, content: bytes) -> None:
    """Write a file as a whole, or not at all."""
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        aside.write_bytes(content)
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
