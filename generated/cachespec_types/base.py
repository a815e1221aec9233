# Made by scripts/generate.py from schema/. Do not edit.
from pydantic import BaseModel


class Model(BaseModel):
    """The base of every generated model."""

    def __hash__(self) -> int:
        """Hash the field values, maps left out: a map cannot be hashed, and equality still compares it."""
        return hash((type(self), *(value for value in self.__dict__.values() if not isinstance(value, dict))))
