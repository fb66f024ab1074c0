"""Joins a stored file of option_trades with an answer of contract-flow, in one reader, and prints what agrees.

    join.py pandas|polars|pyarrow|duckdb STORED ANSWER

The join is by id, which is text in the answer. The times of both must be the same instants, the answer's in UTC.
"""

import sys
import uuid


def as_text(value):
    return str(value if isinstance(value, uuid.UUID) else uuid.UUID(bytes=value)) if not isinstance(value, str) else value


def with_pyarrow(stored, answer):
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    def read(path):
        if path.endswith(".arrow"):
            with open(path, "rb") as file:
                return pa.ipc.open_stream(file).read_all()
        return pq.ParquetFile(path).read()

    trades, flow = read(stored), read(answer)
    assert pa.types.is_string(flow.schema.field("id").type), flow.schema.field("id")
    assert flow.schema.field("executed_at").type == pa.timestamp("us", tz="UTC"), flow.schema
    ids = pa.array([as_text(value) for value in trades.column("id").to_pylist()])
    times = pc.assume_timezone(trades.column("executed_at"), "UTC")
    left = pa.table({"id": ids, "at": times, "stored_price": trades.column("price")})
    joined = flow.select(["id", "executed_at", "price"]).join(left, "id", join_type="inner")
    same = pc.and_(
        pc.equal(joined.column("executed_at"), joined.column("at")),
        pc.equal(joined.column("price"), joined.column("stored_price")),
    )
    return flow.num_rows, joined.num_rows, pc.sum(same).as_py()


def with_pandas(stored, answer):
    import pandas as pd
    import pyarrow as pa

    def read(path):
        if path.endswith(".arrow"):
            with open(path, "rb") as file:
                return pa.ipc.open_stream(file).read_pandas()
        return pd.read_parquet(path, partitioning=None)

    trades, flow = read(stored), read(answer)
    assert str(flow["executed_at"].dt.tz) == "UTC", flow.dtypes
    assert all(isinstance(value, str) for value in flow["id"])
    trades = trades.assign(id=trades["id"].map(as_text), at=trades["executed_at"].dt.tz_localize("UTC"))
    joined = flow.merge(trades[["id", "at", "price"]], on="id", suffixes=("", "_stored"))
    same = (joined["executed_at"] == joined["at"]) & (joined["price"] == joined["price_stored"])
    return len(flow), len(joined), int(same.sum())


def with_polars(stored, answer):
    import polars as pl

    def read(path):
        return pl.read_ipc_stream(path) if path.endswith(".arrow") else pl.read_parquet(path, hive_partitioning=False)

    trades, flow = read(stored), read(answer)
    assert flow.schema["id"] == pl.String, flow.schema
    assert flow.schema["executed_at"] == pl.Datetime("us", "UTC"), flow.schema
    ids = pl.Series("id", [as_text(value) for value in trades["id"].to_list()])
    times = trades["executed_at"].dt.replace_time_zone("UTC").alias("at")
    left = pl.DataFrame([ids, times, trades["price"].alias("stored_price")])
    joined = flow.join(left, on="id")
    same = (joined["executed_at"] == joined["at"]) & (joined["price"] == joined["stored_price"])
    return len(flow), len(joined), int(same.sum())


def with_duckdb(stored, answer):
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'America/New_York'")
    if answer.endswith(".arrow"):
        import pyarrow as pa

        with open(answer, "rb") as file:
            flow = pa.ipc.open_stream(file).read_all()
        connection.register("flow", flow)
    else:
        connection.execute(f"CREATE VIEW flow AS FROM read_parquet('{answer}')")
    types = dict(connection.execute("SELECT column_name, column_type FROM (DESCRIBE flow)").fetchall())
    assert types["id"] == "VARCHAR" and types["executed_at"] == "TIMESTAMP WITH TIME ZONE", types
    counts = connection.execute(
        f"""
        SELECT (SELECT count(*) FROM flow), count(*),
          count(*) FILTER (flow.executed_at = trades.executed_at AT TIME ZONE 'UTC' AND flow.price = trades.price)
        FROM flow JOIN read_parquet('{stored}', hive_partitioning = false) AS trades ON flow.id = trades.id::VARCHAR
        """
    ).fetchone()
    return counts


READERS = {"pandas": with_pandas, "polars": with_polars, "pyarrow": with_pyarrow, "duckdb": with_duckdb}

if __name__ == "__main__":
    reader, stored, answer = sys.argv[1:]
    print("%d rows in the answer, %d joined, %d with the same time and price" % tuple(READERS[reader](stored, answer)))
