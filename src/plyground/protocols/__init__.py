"""How other programs play here, and how ours play elsewhere: one module a protocol, thin adapters all of them."""
