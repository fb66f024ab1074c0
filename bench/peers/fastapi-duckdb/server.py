"""FastAPI over Parquet files with DuckDB: each question is the SQL that a person would write for it."""

import os
import threading
from datetime import date
from decimal import Decimal
from pathlib import Path

import duckdb
import orjson
from fastapi import FastAPI, Request, Response

QUESTIONS = {path.stem: path.read_text() for path in Path("questions").glob("*.sql")}

app = FastAPI()
database = duckdb.connect(config={"threads": 2})
database.execute("SET enable_object_cache = true; SET TimeZone = 'UTC'")
local = threading.local()


def cursor() -> duckdb.DuckDBPyConnection:
    if not hasattr(local, "cursor"):
        local.cursor = database.cursor()
    return local.cursor


def text(value):
    if isinstance(value, Decimal):
        return format(value, "f")
    raise TypeError


@app.get("/{question}")
def answer(question: str, request: Request) -> Response:
    parameters = dict(request.query_params)
    # The day is a part of a path: it is a date, or the request fails.
    day = date.fromisoformat(parameters["date"]).isoformat() if "date" in parameters else ""
    sql = QUESTIONS[question].replace("{data}", os.environ["DATA"]).replace("{date}", day)
    used = {name: value for name, value in parameters.items() if f"${name}" in sql}
    found = cursor().execute(sql, used)
    names = [column[0] for column in found.description]
    rows = [dict(zip(names, row)) for row in found.fetchall()]
    return Response(orjson.dumps({"data": rows}, default=text), media_type="application/json")
