"""How eredu splits a layer among tensor-parallel ranks: whole heads, as evenly as they go."""

from __future__ import annotations

from dataclasses import dataclass

from cachespec.importers.configuration import Configuration


@dataclass(frozen=True, slots=True)
class Split:
    """One of `ranks` parts, `rank` counted from 0. One rank owns everything."""

    ranks: int = 1
    rank: int = 0

    def share(self, units: int) -> int:
        """Units of this rank; the first ranks get one more where they do not come out even."""
        return units // self.ranks + (1 if self.rank < units % self.ranks else 0)

    def heads(self, config: Configuration, name: str, total: int) -> int:
        """Heads of this rank out of `total`, which came from the field `name`."""
        self._refuse_quantised(config)
        if total < self.ranks:
            raise config.invalid(
                name, f"({total}) cannot be split among {self.ranks} ranks", "use at most as many ranks"
            )
        return self.share(total)

    def key_value_heads(self, config: Configuration, name: str, total: int) -> int:
        """Key/value heads of this rank; query heads must come in whole groups."""
        if self.ranks > 1:
            queries = config.integer("num_attention_heads")
            if queries % total:
                raise config.invalid(name, f"({total}) does not divide num_attention_heads ({queries})")
        return self.heads(config, name, total)

    def even(self, config: Configuration, name: str, total: int) -> int:
        """A part of something whose unit of splitting is not known: it must come out even."""
        self._refuse_quantised(config)
        if total % self.ranks:
            raise config.inexpressible(name, f"({total}) does not split evenly among {self.ranks} ranks")
        return total // self.ranks

    def _refuse_quantised(self, config: Configuration) -> None:
        """Quantisation groups decide where a projection may be cut; they are not known here."""
        if self.ranks > 1 and config.states("quantization_config"):
            raise config.inexpressible("quantization_config", "aligns the parts of a rank in a way that is not known")
