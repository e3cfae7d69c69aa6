"""Results that are tables: rows of plain values, and data frames of them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from sleuth.support.errors import SleuthError


class Tabled:
    """A base for results that are tables; they add to_records()."""

    def to_records(self) -> list[dict[str, Any]]:
        """Return a row of plain values for each thing in the table."""
        raise NotImplementedError

    def to_pandas(self) -> Any:
        """Return the rows of to_records() as a pandas.DataFrame. Raises SleuthError without pandas."""
        return self._frame("pandas")

    def to_polars(self) -> Any:
        """Return the rows of to_records() as a polars.DataFrame. Raises SleuthError without polars."""
        return self._frame("polars")

    def _frame(self, library: str) -> Any:
        try:
            module = import_module(library)
        except ModuleNotFoundError as error:
            if error.name != library:
                raise
            raise SleuthError(
                f"{library} is not installed; to_records() has the same rows without it, and"
                f" pip install {library} brings it"
            ) from None
        # polars else takes types from the first rows alone, where a column may have no value yet.
        whole = {"infer_schema_length": None} if library == "polars" else {}
        return module.DataFrame(self.to_records(), **whole)
