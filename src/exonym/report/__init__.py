"""How results look, wherever they come from: tables, figures, and the pages that show them."""
