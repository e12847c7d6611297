"""Values that are worked out when they are first needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

ValueT = TypeVar("ValueT")


class lazy_property(Generic[ValueT]):
    """A property that is worked out once for each object, without a lock.

    `functools.cached_property` of Python 3.11 holds one lock for all objects of a class while it works: threads wait
    for each other, and the child of a fork waits for ever. Here two threads may both work the same value out; one of
    the equal results is kept.

    Args:
        work: Gives the value.
    """

    def __init__(self, work: Callable[[Any], ValueT]) -> None:
        self._work = work
        self.__doc__ = work.__doc__

    def __set_name__(self, owner: type[Any], name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type[Any]) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type[Any]) -> ValueT: ...

    def __get__(self, instance: object | None, owner: type[Any]) -> ValueT | Self:
        if instance is None:
            return self
        # The value hides this descriptor from now on.
        value: ValueT = instance.__dict__.setdefault(self._name, self._work(instance))
        return value
