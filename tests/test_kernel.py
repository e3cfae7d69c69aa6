"""Long work in a cell of a notebook: Ctrl-C ends it, what is known is told, and the kernel lives."""

import time
from collections.abc import Iterator
from queue import Empty
from typing import Any

import pytest

pytest.importorskip("ipykernel")
manager = pytest.importorskip("jupyter_client.manager")

# Far above what is promised, to end what hangs.
HANG = 300


class Kernel:
    """A running kernel."""

    def __init__(self, manager: Any, client: Any) -> None:
        self.manager, self.client = manager, client

    def begin(self, code: str) -> str:
        """Send a cell; returns the number of the request."""
        request: str = self.client.execute(code)
        return request

    def messages(self, request: str) -> Iterator[dict[str, Any]]:
        """Yield what a cell sends until it has ended."""
        while True:
            try:
                message = self.client.get_iopub_msg(timeout=HANG)
            except Empty:
                pytest.fail("the kernel says nothing")
            if message["parent_header"].get("msg_id") != request:
                continue
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                return
            yield message

    def run(self, code: str) -> list[dict[str, Any]]:
        """Return what a cell sends."""
        return list(self.messages(self.begin(code)))

    def printed(self, code: str) -> str:
        """Return what a cell prints to stdout; it must not fail."""
        messages = self.run(code)
        assert not [m for m in messages if m["msg_type"] == "error"], messages
        return "".join(m["content"]["text"] for m in messages if m["msg_type"] == "stream")


@pytest.fixture(scope="module")
def kernel() -> Iterator[Kernel]:
    started, client = manager.start_new_kernel(kernel_name="python3")
    kernel = Kernel(started, client)
    try:
        assert kernel.printed("import sleuth; print(sleuth.__name__)") == "sleuth\n"
        yield kernel
    finally:
        client.stop_channels()
        started.shutdown_kernel(now=True)


# Calls with some arguments that make them short, and long; and what is known when they are interrupted.
LONG = {
    "prove": ("sleuth.prove({}, progress=begun)", "not known.proved and known.interrupted"),
    "optimize": (
        "sleuth.optimize(sleuth.Position.start({}), iterations=9999, progress=begun)",
        "known.total > 0",
    ),
    "evaluate": ("sleuth.evaluate('rollout(width=99)', {}, {}.answers[0], begun)", "known.turn > 0"),
    "experiment": (
        "sleuth.experiment(sleuth.Study.of(['alpha', 'rollout(width=500)'], {}), progress=begun)",
        "not known.finished",
    ),
}


@pytest.mark.parametrize(
    "work",
    [
        "experiment",
        *(pytest.param(work, marks=pytest.mark.thorough) for work in LONG if work != "experiment"),
    ],
)
def test_ctrl_c_ends_a_cell_and_not_the_kernel(kernel: Kernel, work: str) -> None:
    code, holds = LONG[work]
    short, long = (code.replace("{}", f"sleuth.wordle({words!r})") for words in ("original:9", "nyt"))
    kernel.printed("kept = 42\ndef begun(progress):\n    pass")
    kernel.printed(f"{short};")  # compiles what it takes
    kernel.printed("def begun(progress):\n    print('begun', flush=True)")
    request = kernel.begin(
        f"try:\n    {long}\nexcept KeyboardInterrupt as stop:\n    known = stop.known\n    raise"
    )
    error: dict[str, Any] | None = None
    asked = False
    for message in kernel.messages(request):
        if message["msg_type"] == "stream" and not asked:
            time.sleep(0.5)
            kernel.manager.interrupt_kernel()
            asked = True
        elif message["msg_type"] == "error":
            error = message["content"]
    assert error is not None
    assert error["ename"] == "Interrupted"
    assert kernel.printed(f"print(kept, {holds})") == "42 True\n"
    assert kernel.printed("print(sleuth.evaluate('alpha', sleuth.mastermind(2, 3)).report.worst)") == "3\n"


def test_progress_is_one_bar_below_the_cell(kernel: Kernel) -> None:
    messages = kernel.run(
        "from sleuth.views import watching\nwatching._SHOW_EVERY = 0\n"
        "with sleuth.progress('counting') as bar:\n"
        "    for i in range(4):\n        bar(sleuth.Progress(i, 3, f'<{i}>'))"
    )
    kinds = [m["msg_type"] for m in messages if m["msg_type"] not in ("status", "execute_input")]
    assert kinds == ["display_data", "update_display_data", "update_display_data", "update_display_data"]
    shown = [m["content"] for m in messages if "display_data" in m["msg_type"]]
    assert len({content["transient"]["display_id"] for content in shown}) == 1
    html, text = (shown[-1]["data"][form] for form in ("text/html", "text/plain"))
    assert html == '<div><progress value="3" max="3"></progress> counting: 3 of 3, &lt;3&gt;, 0 s</div>'
    assert text == "counting: 3 of 3, <3>, 0 s"


def test_a_bar_ends_with_the_call_it_was_given_to(kernel: Kernel) -> None:
    messages = kernel.run(
        "report = sleuth.evaluate('alpha', sleuth.mastermind(3, 4), progress=sleuth.progress())"
    )
    shown = [m["content"]["data"]["text/plain"] for m in messages if "display_data" in m["msg_type"]]
    assert shown[-1].startswith("turn ") or " of " in shown[-1]


@pytest.mark.thorough
def test_pictures_show_where_they_are_made(kernel: Kernel) -> None:
    pytest.importorskip("matplotlib_inline")
    messages = kernel.run("axes = sleuth.plots.histogram(sleuth.evaluate('alpha', sleuth.mastermind(2, 3)))")
    assert [m for m in messages if m["msg_type"] == "display_data" and "image/png" in m["content"]["data"]]
