"""Schedulers that are no addresses, or do not answer: a line, within a bounded time."""

import socket

import pytest

from sleuth.support import dask
from sleuth.support.errors import SleuthError

pytest.importorskip("distributed")


@pytest.mark.parametrize(
    "address", ["foo", "", "tcp://:0", "tcp://host", "host:0", "tcp://host:99999", "x://a:1"]
)
def test_what_is_no_address_is_told_at_once(address: str) -> None:
    message = f"{address!r} is no address of a dask scheduler; it takes one such as tcp://host:8786, or local"
    with pytest.raises(SleuthError) as told, dask.executor(address, 1, "studies"):
        pass
    assert str(told.value) == message


@pytest.mark.parametrize("address", ["host:8786", "tcp://10.0.0.1:8786", "tls://[::1]:8786"])
def test_addresses(address: str) -> None:
    assert dask.address_of(address) == address
    assert dask.address_of("local") is None


def test_who_accepts_and_says_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "CONNECTING", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with (
            pytest.raises(SleuthError, match=f"no dask scheduler answers at {address} within 0.3 s"),
            dask.executor(address, 1, "studies"),
        ):
            pass
    with (
        pytest.raises(SleuthError, match=f"no dask scheduler answers at {address}"),
        dask.executor(address, 1, "studies"),
    ):
        pass
