"""Kernels on disk: kept while their sources are the same, and no longer."""

import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import numba
import pytest
from numba.core.caching import IndexDataCacheFile

import sleuth
from sleuth.kernels import cache
from sleuth.kernels.cache import _save, is_complete, mark_complete, sources
from sleuth.kernels.compiling import NotCompiledError, compiled_only, on_loss, watch_compiling
from sleuth.kernels.jit import kernel
from sleuth.support.parallel import interruptible, map_threads

PACKAGE = Path(sleuth.__file__).parent
# Indented, so that they are not taken for imports of this file, which has kernels too.
CALLER = dedent("""
    from sleuth.kernels.jit import kernel
    from sleuth.kernels.sleuth_between.sums import more


    @kernel
    def twice(x):
        return 2 * more(x)
""")
BETWEEN = dedent("""
    from sleuth.kernels.jit import kernel
    from sleuth.kernels.sleuth_between.deep.callee import number


    @kernel
    def more(x):
        return number(x)
""")
CALLEE = dedent("""
    from sleuth.kernels.jit import kernel

    ADDED = 1


    @kernel
    def number(x):
        return x + ADDED
""")
RUN = dedent("""
    from sleuth.kernels.sleuth_caller import twice

    print(twice(20), sum(twice.stats.cache_hits.values()), sum(twice.stats.cache_misses.values()))
""")


FILES = ("__init__.py", "cache.py", "compiling.py", "frugal.py", "jit.py", "linking.py")


def copied(tmp_path: Path) -> Path:
    """Make a package of kernels that call each other, and return its folder."""
    kernels = tmp_path / "sleuth" / "kernels"
    between = kernels / "sleuth_between"
    (between / "deep").mkdir(parents=True)
    (tmp_path / "sleuth" / "__init__.py").touch()
    for name in FILES:
        shutil.copy(PACKAGE / "kernels" / name, kernels)
    (between / "__init__.py").write_text('"""A package."""')
    (between / "deep" / "__init__.py").touch()
    (kernels / "sleuth_caller.py").write_text(CALLER)
    (between / "sums.py").write_text(BETWEEN)
    (between / "deep" / "callee.py").write_text(CALLEE)
    return kernels


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache"), **more}


@pytest.mark.thorough
def test_an_edit_of_a_callee_in_another_file_is_seen(tmp_path: Path) -> None:
    between = copied(tmp_path) / "sleuth_between"
    callee = between / "deep" / "callee.py"
    env = environment(tmp_path)

    def run() -> tuple[int, ...]:
        command = [sys.executable, "-c", RUN]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True, cwd=tmp_path)
        return tuple(map(int, done.stdout.split()))

    assert run() == (42, 0, 1)
    assert run() == (42, 1, 0)  # a warm start compiles nothing
    callee.write_text(CALLEE.replace("ADDED = 1", "ADDED = 2"))
    assert run() == (44, 0, 1)
    assert run() == (44, 1, 0)
    (between / "__init__.py").write_text('"""A package that may have changed what it imports."""')
    assert run() == (44, 0, 1)


def test_an_edit_of_a_callee_changes_the_stamp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kernels = copied(tmp_path)
    monkeypatch.setattr(cache, "_FOLDER", kernels)

    def stamp() -> str:
        cache.sources.cache_clear()
        cache._stamp.cache_clear()
        return cache._stamp(kernels / "sleuth_caller.py")

    stamps = [stamp()]
    for name in ("deep/callee.py", "deep/__init__.py", "sums.py", "__init__.py"):
        with (kernels / "sleuth_between" / name).open("a") as file:
            file.write("# edited\n")
        stamps.append(stamp())
    (kernels / "other.py").touch()
    assert stamp() == stamps[-1]
    assert len(set(stamps)) == len(stamps)


def test_sources_are_all_that_a_module_imports() -> None:
    kernels = PACKAGE / "kernels"
    names = ("__init__.py", "frugal.py", "types.py")
    assert sources(kernels / "types.py") == {kernels / name for name in names}
    assert kernels / "legality.py" in sources(kernels / "episodes.py")
    assert kernels / "types.py" in sources(kernels / "episodes.py")


def test_sources_know_packages() -> None:
    kernels = PACKAGE / "kernels"
    search = kernels / "search"
    assert sources(search / "records.py") == {
        search / "records.py",
        *(kernels / name for name in (*FILES, "types.py")),
        search / "__init__.py",
    }
    # What a module of the package imports, its own __init__, and what those import outside of the package.
    assert {search / f"{name}.py" for name in ("__init__", "records", "table", "scan", "views")} <= sources(
        search / "solve.py"
    )
    assert kernels / "hashing.py" in sources(search / "solve.py")
    assert kernels / "legality.py" in sources(search / "beam.py")
    assert search / "beam.py" not in sources(search / "solve.py")


def test_all_that_sources_name_are_files() -> None:
    for path in (PACKAGE / "kernels").rglob("*.py"):
        assert all(source.is_file() for source in sources(path)), path


@pytest.mark.thorough
@pytest.mark.parametrize("broken", ["index", "data", "names"])
def test_what_cannot_be_read_is_compiled_again(tmp_path: Path, broken: str) -> None:
    copied(tmp_path)
    command = [sys.executable, "-c", RUN]
    env = environment(tmp_path)

    def run() -> str:
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True, cwd=tmp_path)
        assert done.stderr == ""
        return done.stdout.strip()

    assert run() == "42 0 1"
    [index] = (tmp_path / "cache").rglob("sleuth_caller*.nbi")
    [data] = (tmp_path / "cache").rglob("sleuth_caller*.nbc")
    if broken == "names":  # of a class that is not there any more
        version = pickle.dumps(numba.__version__, protocol=-1)
        index.write_bytes(version + b"csleuth.kernels\nGone\n.")
    else:
        chosen = index if broken == "index" else data
        chosen.write_bytes(chosen.read_bytes()[: len(chosen.read_bytes()) // 2])
    assert run() == "42 0 1"
    assert run() == "42 1 0"


def test_two_processes_that_save_at_once_do_not_mix_up_what_they_save(tmp_path: Path) -> None:
    def process(monkeypatch: pytest.MonkeyPatch) -> Any:
        file = IndexDataCacheFile(str(tmp_path), "f", "stamp")
        monkeypatch.setattr(file, "_load_index", dict)  # read before the other one wrote
        return file

    with pytest.MonkeyPatch.context() as monkeypatch:
        _save(process(monkeypatch), "one", 1)
        _save(process(monkeypatch), "other", 2)
    assert len(list(tmp_path.glob("*.nbc"))) == 2
    later = IndexDataCacheFile(str(tmp_path), "f", "stamp")
    assert (later.load("one"), later.load("other")) == (None, 2)
    _save(later, "one", 3)
    assert (later.load("one"), later.load("other")) == (3, 2)


def test_the_index_tells_of_no_file_that_is_not_written(tmp_path: Path) -> None:
    file = IndexDataCacheFile(str(tmp_path), "f", "stamp")
    with pytest.raises(TypeError, match="pickle"):
        _save(file, "one", (i for i in range(1)))
    assert file._load_index() == {}


@pytest.mark.thorough
def test_processes_that_start_together_compile_once(tmp_path: Path) -> None:
    copied(tmp_path)
    command = [sys.executable, "-c", RUN]
    env = environment(tmp_path)
    runs = [
        subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True, cwd=tmp_path) for _ in range(4)
    ]
    told = [tuple(map(int, run.communicate()[0].split())) for run in runs]
    assert [run.returncode for run in runs] == [0, 0, 0, 0]
    assert [result for result, _, _ in told] == [42, 42, 42, 42]
    assert sum(hits for _, hits, _ in told) == 3
    assert sum(misses for _, _, misses in told) == 1


@pytest.mark.thorough
def test_a_folder_that_cannot_be_written_gives_way_to_the_users(tmp_path: Path) -> None:
    kernels = copied(tmp_path)
    for folder in (kernels, kernels / "sleuth_between", kernels / "sleuth_between" / "deep"):
        (folder / "__pycache__").touch()  # a file: even root cannot write into it
    env = environment(tmp_path, NUMBA_CACHE_DIR="", XDG_CACHE_HOME=str(tmp_path / "users"))
    where = "from sleuth.kernels import cache; print(cache.lies_elsewhere(), cache.folder().parent.parent)"
    command = [sys.executable, "-B", "-c", where]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.split() == ["True", str(tmp_path / "users")]
    command = [sys.executable, "-B", "-c", RUN]
    for told in ("42 0 1", "42 1 0"):
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True, cwd=tmp_path)
        assert (done.stdout.strip(), done.stderr) == (told, "")


@pytest.mark.thorough
def test_where_nothing_can_be_written_kernels_are_not_kept_and_that_is_said_once(tmp_path: Path) -> None:
    kernels = copied(tmp_path)
    for folder in (kernels, kernels / "sleuth_between", kernels / "sleuth_between" / "deep"):
        (folder / "__pycache__").touch()
    (tmp_path / "users").touch()
    env = environment(tmp_path, NUMBA_CACHE_DIR="", XDG_CACHE_HOME=str(tmp_path / "users"))
    command = [sys.executable, "-B", "-c", RUN]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.strip() == "42 0 1"
    said = f"compiled kernels cannot be kept in {tmp_path / 'users' / 'numba'} (it cannot be written)"
    assert done.stderr.count(said) == 1


def made(number: int) -> Any:
    """Return a kernel that no other test has, kept in this folder's cache."""

    @kernel
    def added(x: int) -> int:
        return x + number

    return added


def test_a_full_disk_loses_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    told: list[str] = []
    on_loss(told.append)
    monkeypatch.setattr(IndexDataCacheFile, "_save_data", full)
    monkeypatch.setattr(cache, "_lost", [])
    assert made(os.getpid())(1) == os.getpid() + 1
    assert len(told) == 1
    assert "No space left on device" in told[0]
    assert "NUMBA_CACHE_DIR" in told[0]


def test_what_may_not_be_compiled_is_an_error_and_what_is_there_is_not() -> None:
    added = made(2 * os.getpid())
    with compiled_only(), pytest.raises(NotCompiledError, match="the kernel added is not compiled yet"):
        added(1)
    assert not added.signatures
    assert added(1) == 2 * os.getpid() + 1
    with compiled_only():
        assert added(1) == 2 * os.getpid() + 1
        assert made(2 * os.getpid())(1) == 2 * os.getpid() + 1  # from the disk


@pytest.mark.parametrize("broken", ["index", "data"])
def test_what_is_cut_off_is_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))

    def misses() -> int:
        added = made(1)
        assert added(1) == 2
        return sum(added.stats.cache_misses.values())

    assert (misses(), misses()) == (1, 0)
    [path] = tmp_path.rglob("*.nbi" if broken == "index" else "*.nbc")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert (misses(), misses()) == (1, 0)


def test_threads_that_work_for_one_that_may_not_compile_may_not() -> None:
    added = made(3 * os.getpid())
    with compiled_only(), pytest.raises(NotCompiledError):
        map_threads(added, [1, 2, 3])
    with compiled_only(), pytest.raises(NotCompiledError):
        interruptible(lambda: added(1), lambda: None, lambda: None)


def test_whoever_watches_hears_of_kernels_that_python_calls_alone() -> None:
    told: list[str] = []
    watch_compiling(lambda: told.append("begun"), lambda: told.append("ended"))

    @kernel
    def inside(x: int) -> int:
        return x + os_pid

    @kernel
    def outside(x: int) -> int:
        return inside(x)

    os_pid = 4 * os.getpid()
    assert outside(1) == os_pid + 1
    assert told == ["begun", "ended"]
    assert outside(2) == os_pid + 2
    assert told == ["begun", "ended"]


def test_that_all_is_compiled_is_known_of_these_sources_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    monkeypatch.setattr(cache, "_used", {str(tmp_path / "kernel.nbi")})
    (tmp_path / "kernel.nbi").touch()
    assert not is_complete()
    mark_complete()
    assert is_complete()
    monkeypatch.setattr("numba.__version__", "another")
    assert not is_complete()


def test_where_a_kernel_was_lost_it_is_not_said_that_all_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    monkeypatch.setattr(cache, "_lost", ["lost"])
    mark_complete()
    assert not list(tmp_path.iterdir())


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_that_all_is_compiled_is_no_longer_said_once_files_are_gone(tmp_path: Path, kind: str) -> None:
    copied(tmp_path)
    env = environment(tmp_path)

    def run(code: str) -> str:
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True, cwd=tmp_path)
        return done.stdout.strip()

    asked = "from sleuth.kernels import cache; print(cache.is_complete())"
    assert run(asked) == "False"
    marking = f"{RUN}\nfrom sleuth.kernels import cache\ncache.mark_complete()"
    assert run(marking) == "42 0 1"
    assert run(asked) == "True"
    [path] = (tmp_path / "cache").rglob(f"callee.number*.{kind}")  # that of another folder
    path.unlink()
    assert run(asked) == "False"
