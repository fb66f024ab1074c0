"""FastAPI over Parquet files with polars: each question is the expression that a person would write for it."""

from uuid import UUID

import orjson
import polars as pl
from fastapi import FastAPI, Request, Response
from questions import QUESTIONS

app = FastAPI()


def text(value):
    if isinstance(value, bytes):
        return str(UUID(bytes=value))
    raise TypeError


@app.get("/{question}")
def answer(question: str, request: Request) -> Response:
    found = QUESTIONS[question](dict(request.query_params)).collect()
    rows = found.with_columns(pl.col(pl.Decimal).cast(pl.String)).to_dicts()
    return Response(orjson.dumps({"data": rows}, default=text), media_type="application/json")
