"""What is left out where not everything is installed."""

from importlib.util import find_spec

# It cannot even be read without Selenium. `make browser-test` names it, and so never leaves it out.
collect_ignore = [] if find_spec("selenium") else ["test_page.py"]
