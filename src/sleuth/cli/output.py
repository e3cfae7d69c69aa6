"""Rich output whose reader may leave."""

from rich.console import Console

from sleuth.cli.hearing import unheard


class Output(Console):
    """A console that goes on where who read it has gone, in place of ending the process."""

    def on_broken_pipe(self) -> None:
        """Print nothing from now on."""
        self.quiet = True
        if not self.stderr:
            unheard()
