"""Loads Parquet files into SQLite: load.py <data> <database> <folder of indexes.sql>."""

import sqlite3
import sys
from pathlib import Path

import duckdb

ROWS = 20_000


def stored(name: str, kind: str) -> tuple[str, str]:
    """The type of a column in SQLite, and the DuckDB expression of what is stored."""
    if kind in ("BIGINT", "INTEGER", "SMALLINT", "BOOLEAN"):
        return "INTEGER", f'"{name}"::BIGINT'
    if kind == "DOUBLE" or kind.startswith("DECIMAL"):
        return "REAL", f'"{name}"::DOUBLE'
    if kind.endswith("[]"):
        return "TEXT", f'to_json("{name}")::VARCHAR'
    return "TEXT", f'"{name}"::VARCHAR'


data, path, here = sys.argv[1:4]
database = sqlite3.connect(path, isolation_level=None)
database.execute("PRAGMA journal_mode = off")
database.execute("PRAGMA synchronous = off")
engine = duckdb.connect(config={"preserve_insertion_order": True})
engine.execute("SET TimeZone = 'UTC'")
for entry in sorted(Path(data).iterdir()):
    source = f"read_parquet('{entry}/*.parquet')" if entry.is_dir() else f"read_parquet('{entry}')"
    columns = [(row[0], *stored(row[0], row[1])) for row in engine.execute(f"DESCRIBE FROM {source}").fetchall()]
    table = entry.stem
    created = ', '.join(f'"{name}" {kind}' for name, kind, _ in columns)
    database.execute(f"CREATE TABLE {table} ({created})")
    rows = engine.execute(f"SELECT {', '.join(value for _, _, value in columns)} FROM {source}")
    insert = f"INSERT INTO {table} VALUES ({', '.join('?' for _ in columns)})"
    database.execute("BEGIN")
    while found := rows.fetchmany(ROWS):
        database.executemany(insert, found)
    database.execute("COMMIT")
database.executescript((Path(here) / "indexes.sql").read_text())
database.execute("ANALYZE")
database.close()
