"""Variants: made-up traffic that a recorded month doesn't hold: offices, carriers' networks, botnets, sprays."""
