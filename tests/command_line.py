"""What commands print, read back."""

import json


def json_of(result):
    """Return the one JSON object that a run printed; result: exit code, stdout and stderr."""
    code, out, err = result
    assert code == 0, err
    assert out.count("\n") == 1
    return json.loads(out)
