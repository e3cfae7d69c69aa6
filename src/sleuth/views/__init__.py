"""What is shown of results: content.py what, html.py and text.py how, one module for each kind of result."""
