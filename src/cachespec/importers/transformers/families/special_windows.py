"""Windows that do not stand in `sliding_window`."""

from __future__ import annotations

from cachespec.importers.configuration import Configuration


def window_of_modernbert(config: Configuration) -> int:
    """modernbert-decoder: half of `local_attention`; a re-serialised configuration states the half itself."""
    if not config.is_missing("sliding_window"):
        return config.integer("sliding_window")
    window = config.integer("local_attention", least=2) // 2
    config.record("sliding_window", "local_attention // 2")
    return window


def window_of_switch(config: Configuration) -> int:
    """qwen2 and its relatives: without the switch there is no window, whatever `layer_types` says."""
    if not config.switch("use_sliding_window"):
        raise config.invalid("use_sliding_window", "is not true, so a sliding layer has no window")
    return config.integer("sliding_window")


def window_of_mimo(config: Configuration) -> int:
    """mimo_v2_flash: `sliding_window_size`, which leaves out the token itself, comes first."""
    if not config.states("sliding_window_size"):
        return config.integer("sliding_window")
    config.record("sliding_window", "sliding_window_size + 1")
    return config.integer("sliding_window_size") + 1
