"""Find bugs in partitioners: random JAX programs under random shardings, judged by proof and by execution.

``python -m openpartir fuzz --target shardy --seconds 600 --out DIR``. A campaign draws programs (`generate`), lets a
child process partition, validate and execute each (`worker`), combines what came out into a verdict (`oracle`), makes
failing programs small (`shrink`), and keeps each distinct failure as a folder with a script in plain JAX that shows it
(`findings`).
"""
