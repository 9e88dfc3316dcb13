"""How the site is built: `sphinx-build -W docs build/site`."""

from typing import Any

from pygments.lexers.special import TextLexer

from adjudicator import __version__

project = "Turnpost"
author = "the authors of Turnpost"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["gallery"]
myst_heading_anchors = 3

# Docstrings here are plain text, in which one backtick means code.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
python_use_unqualified_type_names = True

html_theme = "alabaster"
html_title = "Turnpost"
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "description": "A play-by-e-mail adjudicator",
    "page_width": "1080px",
    "sidebar_width": "250px",
    "fixed_sidebar": True,
}
html_sidebars = {"**": ["about.html", "searchfield.html", "navigation.html"]}


def setup(app: Any) -> None:
    """Letters are shown as they are."""
    app.add_lexer("letter", TextLexer)
