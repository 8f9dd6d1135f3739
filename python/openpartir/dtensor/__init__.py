"""Judge PyTorch DTensor's op strategies: each is turned into a claim for all sizes, and proved or refuted.

``python -m openpartir dtensor --out DIR``. `table` gives each ATen operator a meaning as a JAX program;
`torch_strategies` asks the installed PyTorch for its strategies; `claims` writes them for ``partir prove``;
`torch_replay` runs them in PyTorch, in two processes.
"""
