# Made by scripts/generate from schema/. Do not edit.
"""`check` as type checkers see it: the name of a type decides the type of the value. Nothing imports it at run time."""

from typing import Any, Literal, Protocol, overload

from cachespec.checking import CheckReport
from cachespec_types import models


class Check(Protocol):
    @overload
    def __call__(
        self,
        source: object,
        type: Literal["CacheLayout"] = "CacheLayout",
        syntax: str | None = None,
        major: int | None = None,
    ) -> CheckReport[models.CacheLayout]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["AttentionPolicy"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.AttentionPolicy]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["CacheBlockId"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.CacheBlockId]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["CacheRankIdentity"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.CacheRankIdentity]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["CacheRepresentation"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.CacheRepresentation]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["CacheTier"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.CacheTier]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["ComponentReport"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.ComponentReport]: ...

    @overload
    def __call__(
        self,
        source: object,
        type: Literal["CompressedLatentRotary"],
        syntax: str | None = None,
        major: int | None = None,
    ) -> CheckReport[models.CompressedLatentRotary]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["Convolution"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.Convolution]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["FindingLevel"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.FindingLevel]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["FixedState"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.FixedState]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["KeyOnly"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.KeyOnly]: ...

    @overload
    def __call__(
        self,
        source: object,
        type: Literal["KeyOnlyWithFixedState"],
        syntax: str | None = None,
        major: int | None = None,
    ) -> CheckReport[models.KeyOnlyWithFixedState]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["KeyValue"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.KeyValue]: ...

    @overload
    def __call__(
        self,
        source: object,
        type: Literal["KeyValueWithFixedState"],
        syntax: str | None = None,
        major: int | None = None,
    ) -> CheckReport[models.KeyValueWithFixedState]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["LayerBytes"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.LayerBytes]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["LayerCachePolicy"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.LayerCachePolicy]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["LayerPrefixOffset"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.LayerPrefixOffset]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["LayoutSize"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.LayoutSize]: ...

    @overload
    def __call__(
        self,
        source: object,
        type: Literal["MutableStateResidency"],
        syntax: str | None = None,
        major: int | None = None,
    ) -> CheckReport[models.MutableStateResidency]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["PartBytes"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.PartBytes]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["PartDifference"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.PartDifference]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["Pooling"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.Pooling]: ...

    @overload
    def __call__(
        self,
        source: object,
        type: Literal["PoolingStateComponent"],
        syntax: str | None = None,
        major: int | None = None,
    ) -> CheckReport[models.PoolingStateComponent]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["Report"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.Report]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["ReportComponent"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.ReportComponent]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["ReportFinding"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.ReportFinding]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["ResolvedExtent"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.ResolvedExtent]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["SizeComparison"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.SizeComparison]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["SizeDifference"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.SizeDifference]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["SizeReport"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.SizeReport]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["Sliding"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.Sliding]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["StateComponentPolicy"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.StateComponentPolicy]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["StateComponentRole"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.StateComponentRole]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["StateResidencyClass"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.StateResidencyClass]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["StateTensorDimension"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.StateTensorDimension]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["StateTensorDtype"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.StateTensorDtype]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["StateTensorOwner"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.StateTensorOwner]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["StateTensorPolicy"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.StateTensorPolicy]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["StateTensorPresence"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.StateTensorPresence]: ...

    @overload
    def __call__(
        self, source: object, type: Literal["StateTensorRole"], syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.StateTensorRole]: ...

    @overload
    def __call__(
        self, source: object, type: str, syntax: str | None = None, major: int | None = None
    ) -> CheckReport[Any]: ...
