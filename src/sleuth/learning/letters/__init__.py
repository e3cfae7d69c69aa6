"""Players that see letters: what rows told of them (Weaver 2025), and what answers have of them."""
