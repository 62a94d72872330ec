"""Views: one file a page, each for people and for scripts."""
