# Made by scripts/generate from schema/. Do not edit.
from pydantic import BaseModel


class Model(BaseModel):
    """The base of every generated model."""

    def __hash__(self) -> int:
        """Hash the field values, maps left out: a map cannot be hashed, and equality still compares it."""
        values = tuple(self.__dict__.values())
        try:
            return hash((self.__class__, values))
        except TypeError:
            return hash((self.__class__, tuple(value for value in values if not isinstance(value, dict))))
