"""Defines the package's exceptions."""

from __future__ import annotations

__all__ = ["DefectError", "PartirError", "UnsupportedError"]


class PartirError(ValueError):
    """Wrong input. The message states where, what was found and what would be right.

    Attributes:
        code: a stable label, such as "schedule" or "dot_general (C10)".
        file, line, column: where the error is in the input; 0 refers to the complete file.
        found, wanted: the two halves of the message.
    """

    def __init__(
        self,
        message: str = "",
        *,
        code: str = "usage",
        file: str = "",
        line: int = 0,
        column: int = 0,
        found: str = "",
        wanted: str = "",
    ) -> None:
        """Build the message from its parts, unless one is given."""
        if not message:
            place = f"{file}:{line}: " if file and line else f"{file}: " if file else ""
            message = f"{place}error [{code}]: {found}; wanted {wanted}"
        super().__init__(message)
        self.code = code
        self.file = file
        self.line = line
        self.column = column
        self.found = found
        self.wanted = wanted


class UnsupportedError(NotImplementedError):
    """A feature of JAX that a partitioned function does not support."""


class DefectError(RuntimeError):
    """A defect of OpenPartIR itself; please report it with the program and the schedule."""
