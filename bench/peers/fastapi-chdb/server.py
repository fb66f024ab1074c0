"""FastAPI over Parquet files with chDB, the engine of ClickHouse in the process, which writes the JSON."""

import os
import threading
from datetime import date
from pathlib import Path

import chdb
from fastapi import FastAPI, Request, Response

QUESTIONS = {path.stem: path.read_text() for path in Path("questions").glob("*.sql")}
SETTINGS = {
    "max_threads": 2,
    "session_timezone": "'UTC'",
    "join_use_nulls": 1,
    "prefer_column_name_to_alias": 1,
    "output_format_json_quote_decimals": 1,
    "output_format_json_quote_64bit_integers": 0,
    "output_format_decimal_trailing_zeros": 1,
}

app = FastAPI()
# A process has one connection, which runs one query at a time.
connection = chdb.connect(":memory:")
connection.query("SET " + ", ".join(f"{name} = {value}" for name, value in SETTINGS.items()))
lock = threading.Lock()


@app.get("/{question}")
def answer(question: str, request: Request) -> Response:
    parameters = dict(request.query_params)
    # The day is a part of a path: it is a date, or the request fails.
    day = date.fromisoformat(parameters["date"]).isoformat() if "date" in parameters else ""
    sql = QUESTIONS[question].replace("{data}", os.environ["DATA"]).replace("{date}", day)
    used = {name: value for name, value in parameters.items() if f"{{{name}:" in sql}
    with lock:
        found = connection.query(sql, "JSON", params=used)
    return Response(found.bytes(), media_type="application/json")
