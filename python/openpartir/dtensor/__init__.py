"""Judges PyTorch DTensor's op strategies: each becomes a claim for all sizes, and is proved or refuted.

Run it with ``python -m openpartir dtensor --out DIR``. `table` gives each ATen operator a meaning as a JAX program;
`torch_strategies` asks the installed PyTorch for its strategies; `claims` writes them for ``partir prove``;
`torch_replay` runs them in PyTorch, in two processes.
"""
