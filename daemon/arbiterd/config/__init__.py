"""The configuration: TOML in, frozen values out, and every fault with its line.

values    what may stand behind a key
model     the keys, section by section
lines     on which line a key stands
reading   text to values, all faults at once
checks    what no single key shows
files     the files it names
doors     listeners, and the broker
"""

from arbiterd.config.model import Config
from arbiterd.config.reading import ConfigError, ConfigFault, located, read_config, read_text

__all__ = ["Config", "ConfigError", "ConfigFault", "located", "read_config", "read_text"]
