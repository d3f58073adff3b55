"""The only place where everything is put together."""

from arbiterd.service.service import Service, build

__all__ = ["Service", "build"]
