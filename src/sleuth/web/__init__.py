"""The page and the HTTP API: a thin face. The server parses and routes; workers call the library."""
