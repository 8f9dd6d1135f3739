# The versions that the tests use. `PARTIR_JAX` chooses another version of jax than the newest that is supported.
jax_newest=${PARTIR_JAX:-0.10.2}
jax_oldest=0.8.3
ruff="ruff==0.17.*" # also in pyproject.toml: rules differ between minor versions
