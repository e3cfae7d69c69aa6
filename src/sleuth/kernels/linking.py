"""Parts of kernels are made into machine code within the kernels that call them, and nowhere else.

numba makes machine code of every function that it compiles, and does so again with all that a function calls.
What Python cannot call needs none of its own: here it is kept as it is until it is linked into a kernel. That
saves a quarter of the time that compiling everything takes.

numba has no public way to say it; tests/kernels/test_linking.py holds that the private one works.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.registry import cpu_target

_Library: Any = JITCodeLibrary
_lock: Any = global_compiler_lock
_environment_of: Any = lookup_environment
# How the names begin of functions that take Python's objects, and of what a function knows of its module.
_IN, _ENVIRONMENT = "_ZN7cpython", "_ZN08NumbaEnv"


class Part(_Library):  # type: ignore[misc]  # numba's own types are not complete
    """A library that is kept as it is, unless Python can call it or somebody asks for its address."""

    _kept = False

    def _defined(self) -> Iterator[Any]:
        return (f for f in self._final_module.functions if not f.is_declaration)

    def _is_called_by_python(self) -> bool:
        # Functions linked in from elsewhere have another linkage.
        return any(f.name.startswith(_IN) and f.linkage.name == "external" for f in self._defined())

    def _optimize_final_module(self) -> None:
        if self._is_called_by_python():
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        loaded = self._object_caching_enabled and self._compiled_object
        if loaded or self._is_called_by_python():
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

    def serialize_using_object_code(self) -> Any:
        return self.serialize_using_bitcode() if self._kept else super().serialize_using_object_code()

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
