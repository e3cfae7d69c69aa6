"""The other side of the table: hosts who choose the answer to be hard."""
