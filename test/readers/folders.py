"""Counts the rows of each dataset of a lake with other readers of Parquet, from the names of the folders alone.

Usage: folders.py LAKE DATASET…

Prints one JSON object: by dataset and reader the number of rows, or "refused" if the reader fails.
"""

import json
import sys

import duckdb
import pandas
import polars
import pyarrow.dataset
import pyarrow.parquet

READERS = {
    "pandas": lambda folder: len(pandas.read_parquet(folder)),
    "pandas, pyarrow types": lambda folder: len(pandas.read_parquet(folder, dtype_backend="pyarrow")),
    "pyarrow.dataset": lambda folder: pyarrow.dataset.dataset(folder, format="parquet").to_table().num_rows,
    "pyarrow.parquet": lambda folder: pyarrow.parquet.read_table(folder).num_rows,
    "polars folder": lambda folder: polars.read_parquet(folder).height,
    "polars glob": lambda folder: polars.read_parquet(f"{folder}/*/*.parquet").height,
    "duckdb glob": lambda folder: count(f"{folder}/*/*.parquet"),
    "duckdb all": lambda folder: count(f"{folder}/**/*.parquet"),
}


def count(pattern):
    # All columns of all rows, as a query would read them.
    rows = duckdb.sql(f"SELECT count(*), count(DISTINCT hash(t)) FROM read_parquet('{pattern}') AS t").fetchall()
    return rows[0][0]


def counted(reader, folder):
    try:
        return reader(folder)
    except Exception as error:
        print(f"{folder}: {error}", file=sys.stderr)
        return "refused"


lake, *datasets = sys.argv[1:]
found = {
    dataset: {name: counted(reader, f"{lake}/{dataset}") for name, reader in READERS.items()} for dataset in datasets
}
print(json.dumps(found))
