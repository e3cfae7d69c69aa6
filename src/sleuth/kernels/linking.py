"""Parts of kernels are made into machine code within the kernels that call them, and nowhere else.

numba makes machine code of every function that it compiles, and does so again with all that a function calls.
What Python cannot call needs none of its own: here it is kept as it is until it is linked into a kernel. That
saves a quarter of the time that compiling everything takes. And large functions that several kernels call are
not copied into each: they are made into machine code once, and kernels call them there. On disk it is kept
with each of these kernels, so that a kernel's file is all that it takes to run it.

numba has no public way to say it; tests/kernels/test_linking.py holds that the private one works.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

import numba
from llvmlite import binding
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.registry import cpu_target

_Library: Any = JITCodeLibrary
_binding: Any = binding
_lock: Any = global_compiler_lock
_environment_of: Any = lookup_environment
# How the names begin of functions that take Python's objects, and of what a function knows of its module.
_IN, _ENVIRONMENT = "_ZN7cpython", "_ZN08NumbaEnv"
_NEEDS = "needs"
# The qualified names of functions that are not copied into those that call them.
_apart: set[str] = set()
# What was loaded with kernels that call it, by the digest of its machine code.
_loaded: dict[bytes, "Part"] = {}


def set_apart(name: str) -> None:
    """Let no function of this qualified name be copied into kernels that call it."""
    _apart.add(name)


class Part(_Library):  # type: ignore[misc]  # numba's own types are not complete
    """A library that is kept as it is, unless Python can call it or somebody asks for its address."""

    _kept = False

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        # Libraries whose functions this one calls where they are; each after those that it needs itself.
        self._needs: dict[Part, None] = {}
        self._object_code: bytes | None = None

    def add_linking_library(self, library: Any) -> None:
        library._ensure_finalized()
        if isinstance(library, Part):
            self._needs.update(library._needs)
            if library.name in _apart:
                self._needs[library] = None
                return
        super().add_linking_library(library)

    def _optimize_functions(self, ll_module: Any) -> None:
        """Make functions smaller, with fewer passes than numba's.

        They are optimised once they are linked into a kernel.
        """
        if numba.version_info[:2] < (0, 62):  # its passes were others
            super()._optimize_functions(ll_module)
            return
        ll_module.data_layout = self._codegen._data_layout
        passes, options = _binding.create_new_function_pass_manager(), self._codegen._pass_builder(opt=0)
        passes.add_sroa_pass()
        passes.add_simplify_cfg_pass()
        passes.add_instruction_combine_pass()
        passes.add_refprune_pass()
        for function in ll_module.functions:
            if not function.is_declaration:
                passes.run(function, options)

    def _defined(self) -> Iterator[Any]:
        return (f for f in self._final_module.functions if not f.is_declaration)

    def _is_called_by_python(self) -> bool:
        # Functions linked in from elsewhere have another linkage.
        return any(f.name.startswith(_IN) and f.linkage.name == "external" for f in self._defined())

    def _has_machine_code(self) -> bool:
        return self.name in _apart or self._is_called_by_python()

    def _optimize_final_module(self) -> None:
        if self._has_machine_code():
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        loaded = self._object_caching_enabled and self._compiled_object
        if loaded or self._has_machine_code():
            self._make()
        else:
            self._finalize_dynamic_globals()
            self._kept = self._finalized = True

    def _make(self) -> None:
        """Make machine code, and tell each part in it of its module."""
        names = [v.name for v in self._final_module.global_variables if v.name.startswith(_ENVIRONMENT)]
        super()._finalize_final_module()
        for name in names:
            environment = _environment_of(name)
            if environment is not None:
                self._codegen.set_env(name, environment)

    def _get_compiled_object(self) -> Any:
        return self._object_code or super()._get_compiled_object()

    def _set_compiled_object(self, value: Any) -> None:
        super()._set_compiled_object(value)
        if self.name in _apart:  # it is kept again with kernels that are compiled from now on
            self._object_code = value

    def _state(self) -> Any:
        return self.serialize_using_bitcode() if self._kept else super().serialize_using_object_code()

    def serialize_using_object_code(self) -> Any:
        if not self._needs:
            return self._state()
        return self.name, _NEEDS, (self._state(), [library._state() for library in self._needs])

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Any:
        name, kind, data = state
        if kind != _NEEDS:
            return cls._load(codegen, state) if name in _apart else super()._unserialize(codegen, state)
        own, others = data
        needs = [cls._load(codegen, other) for other in others]
        library = super()._unserialize(codegen, own)
        library._needs.update(dict.fromkeys(needs))
        return library

    @classmethod
    def _load(cls, codegen: Any, state: Any) -> "Part":
        """Load a library that is set apart, once."""
        _, _, (object_code, _) = state
        digest = sha256(object_code).digest()
        if digest not in _loaded:
            _loaded[digest] = super()._unserialize(codegen, state)
        return _loaded[digest]

    def get_pointer_to_function(self, name: str) -> Any:
        self._ensure_finalized()
        if self._kept:
            if all(f.name != name for f in self._defined()):
                return 0
            self._kept = False
            super()._optimize_final_module()
            self._make()
        return super().get_pointer_to_function(name)


@contextmanager
def parts() -> Iterator[None]:
    """Within this, what is compiled or loaded for kernels alone is kept as it is."""
    with _lock:
        codegen: Any = cpu_target.target_context.codegen()
        plain = type(codegen)

        def set_environment(name: str, environment: Any) -> None:
            # Else it is set with the machine code, or never needed.
            if codegen._engine.is_symbol_defined(name):
                plain.set_env(codegen, name, environment)

        before = {
            name: vars(codegen)[name] for name in ("_library_class", "set_env") if name in vars(codegen)
        }
        codegen._library_class, codegen.set_env = Part, set_environment
        try:
            yield
        finally:
            del codegen._library_class, codegen.set_env
            vars(codegen).update(before)
