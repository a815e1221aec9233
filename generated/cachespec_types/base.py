# Made by scripts/generate from schema/. Do not edit.
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    # A list may be given where a tuple is kept.
    Items = Sequence
else:

    class Items:
        def __class_getitem__(cls, item: Any) -> Any:
            return tuple[item, ...]


class Model(BaseModel):
    """The base of every generated model."""

    model_config = ConfigDict(serialize_by_alias=True, validate_by_alias=True, validate_by_name=True)

    @classmethod
    def __pydantic_init_subclass__(cls, **options: Any) -> None:
        # `help` shows what a class says of itself, and nothing of its fields.
        fields = [f"{name}: {field.description or field.annotation}" for name, field in cls.model_fields.items()]
        cls.__doc__ = "\n".join([(cls.__doc__ or "").strip(), "", *fields])

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """The model with other values in some fields. Raises pydantic's ValidationError for what a field refuses."""
        copy = super().model_copy(deep=deep)
        if not update:
            return copy
        names = {field.alias: name for name, field in type(self).model_fields.items() if field.alias}
        kept = {name: value for name, value in copy.__dict__.items() if name in self.model_fields_set}
        return type(self).model_validate(kept | {names.get(name, name): value for name, value in update.items()})

    def __hash__(self) -> int:
        """Hash the field values, maps left out: a map cannot be hashed, and equality still compares it."""
        values = tuple(self.__dict__.values())
        try:
            return hash((self.__class__, values))
        except TypeError:
            return hash((self.__class__, tuple(value for value in values if not isinstance(value, dict))))
