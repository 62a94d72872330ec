"""Login: everything between a submitted form and a proven account."""
