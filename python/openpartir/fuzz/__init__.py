"""Finds bugs in partitioners with random JAX programs under random shardings, judged by proof and by execution.

Run it with ``python -m openpartir fuzz --target shardy --seconds 600 --out DIR``. A campaign generates programs
(`generate`), lets a child process partition, validate and execute each (`worker`), combines the observations into a
verdict (`oracle`), shrinks failing programs (`shrink`), and keeps each distinct failure as a folder with a script in
plain JAX that reproduces it (`findings`).
"""
