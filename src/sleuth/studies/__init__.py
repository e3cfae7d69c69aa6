"""Studies: strategies by games by seeds, played in parallel and kept run by run."""
