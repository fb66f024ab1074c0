"""Compares the answers of operations in five formats, each read by a reader that is not the program's.

    answers.py FOLDER OPERATION…

FOLDER has for each operation answer.json, answer.ndjson, answer.csv, answer.arrow and answer.parquet, and in types.json the
documented type of each field by its path in the record. Prints one JSON object: by operation and reader a list of
differences from the JSON answer.
"""

import json
import re
import sys
from datetime import date, datetime, timezone
from decimal import Decimal

import duckdb
import polars
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

DECIMAL = re.compile(r"-?\d+(\.\d+)?")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?Z")
SHOWN_MAX = 5


class Unfit(Exception):
    """A value or column that is not of its documented type."""


def time_of(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(timezone.utc)


def of_json(value, kind):
    """The value that a JSON value of a documented type stands for. Raises Unfit where it has another JSON type."""
    if value is None:
        return None
    if kind == "object":
        if not isinstance(value, dict):
            raise Unfit(f"{value!r} is no object")
        return value
    if kind.startswith("array of "):
        if not isinstance(value, list):
            raise Unfit(f"{value!r} is no list")
        inner = kind.removeprefix("array of ")
        return [of_json(item, inner) for item in value]
    if kind == "boolean":
        if not isinstance(value, bool):
            raise Unfit(f"{value!r} is no boolean")
        return value
    if kind in ("integer", "number"):
        if isinstance(value, bool) or not isinstance(value, int if kind == "integer" else (int, float)):
            raise Unfit(f"{value!r} is no {kind}")
        return value if kind == "integer" else float(value)
    if not isinstance(value, str):
        raise Unfit(f"{value!r} is no text")
    if kind == "string(dec)":
        if not DECIMAL.fullmatch(value):
            raise Unfit(f"{value!r} is no decimal")
        return Decimal(value)
    if kind == "date":
        return date.fromisoformat(value)
    if kind.startswith("ts"):
        if not TIME.fullmatch(value):
            raise Unfit(f"{value!r} is no time")
        return time_of(value)
    return value


def of_csv(text, kind):
    """The value that the text of a CSV field stands for."""
    if text is None:
        return None
    if kind in ("object", "boolean", "integer", "number") or kind.startswith("array"):
        return of_json(json.loads(text), kind)
    return of_json(text, kind)


def plain(value):
    """A value in a form in which all readers agree: containers compare by their items."""
    if isinstance(value, dict):
        return {name: plain(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc)
    return value


def of_typed(value, kind, path, types):
    """A value of a typed column in the form of `of_json`. An object is a struct, or text where its fields are open."""
    if value is None:
        return None
    if kind == "object" and isinstance(value, str):
        return json.loads(value)
    if kind.startswith("array of object"):
        return [nested(item, f"{path}[]", types) for item in value]
    if kind == "object":
        return nested(value, path, types)
    if kind == "integer" and isinstance(value, Decimal):
        return int(value)
    return plain(value)


def nested(item, path, types):
    """The fields of an object, each in the form of its documented type."""
    return {name: of_typed(value, types.get(f"{path}.{name}", "string"), f"{path}.{name}", types) for name, value in item.items()}


def of_nested_json(value, kind, path, types):
    """Like `of_json`, with the documented types of the fields of objects."""
    of_json(value, kind)
    if value is None or not kind.endswith("object") or not any(name.startswith(path) and name != path for name in types):
        return of_json(value, kind)
    if kind == "object":
        return {
            name: of_nested_json(inner, types.get(f"{path}.{name}", "string"), f"{path}.{name}", types)
            for name, inner in value.items()
        }
    return [of_nested_json(item, "object", f"{path}[]", types) for item in value]


ARROW_TYPES = {
    "string(dec)": pa.types.is_decimal,
    "date": pa.types.is_date32,
    "ts": lambda kind: kind == pa.timestamp("us", tz="UTC"),
    "integer": lambda kind: pa.types.is_integer(kind) or (pa.types.is_decimal(kind) and kind.scale == 0),
    "number": pa.types.is_float64,
    "boolean": pa.types.is_boolean,
    "object": lambda kind: pa.types.is_struct(kind) or pa.types.is_string(kind),
}


def type_fault(name, kind, column, empty):
    """Why a column is not of a documented type; None where it is. A column of nulls has no type in Arrow."""
    if kind.startswith("array of "):
        if not pa.types.is_list(column):
            return f"{name} is {column}, not a list"
        return type_fault(f"{name}[]", kind.removeprefix("array of "), column.value_type, empty)
    fits = ARROW_TYPES.get(kind.split("(")[0] if kind.startswith("ts") else kind, pa.types.is_string)
    return None if fits(column) or (empty and pa.types.is_null(column)) else f"{name} is {column}, not {kind}"


def type_faults(schema, types):
    names = [name for name in types if "." not in name and "[" not in name]
    if schema.names != names:
        return [f"the columns are {schema.names}, not {names}"]
    faults = [type_fault(name, types[name], schema.field(name).type, False) for name in names]
    return [fault for fault in faults if fault]


def differences(expected, rows, read):
    """Where rows are not the expected ones, at most a few."""
    if len(rows) != len(expected):
        return [f"{len(rows)} rows, not {len(expected)}"]
    found = []
    for number, (want, row) in enumerate(zip(expected, rows)):
        if list(want) != list(row):
            return [f"row {number} has {list(row)}, not {list(want)}"]
        for name, value in want.items():
            got = read(row[name], name)
            if got != value or type(got) is not type(value):
                found.append(f"row {number}, {name}: {got!r}, not {value!r}")
    return found[:SHOWN_MAX]


def records_of(body):
    """The records of a JSON answer, wherever they are in its envelope; one object is one record."""
    data = body["data"]
    if isinstance(data, dict) and isinstance(data.get("data"), list):
        return data["data"]
    return data if isinstance(data, list) else [data]


def figures_of(body):
    """The figures of analytics-window as rows: one number per row, in the order of the answer."""

    def row(calculation, symbol, value, other=None, bin=None, edges=(None, None), times=(None, None)):
        return dict(
            calculation=calculation, symbol=symbol, other_symbol=other, bin=bin, lower_edge=edges[0], upper_edge=edges[1],
            start_time=times[0], end_time=times[1], value=value,
        )

    rows = []
    for calculation, figures in body["data"]["payload"]["RETURNS_CALCULATIONS"].items():
        index = figures.get("index")
        if isinstance(index, list):
            (triangle,) = [value for name, value in figures.items() if name != "index"]
            for at, line in enumerate(triangle):
                rows += [row(calculation, index[at], value, other=index[place]) for place, value in enumerate(line)]
            continue
        for symbol, figure in figures.items():
            if not isinstance(figure, dict):
                rows.append(row(calculation, symbol, figure))
            elif "bin_count" in figure:
                edges = figure["bin_edges"]
                rows += [
                    row(calculation, symbol, count, bin=at, edges=edges[at : at + 2])
                    for at, count in enumerate(figure["bin_count"])
                ]
            else:
                span = figure["drawdown_range"]
                # A day stands for its midnight.
                times = [day and f"{day}T00:00:00Z"[:20] for day in (span["start_drawdown"], span["end_drawdown"])]
                rows.append(row(calculation, symbol, figure["max_drawdown"], times=times))
    return rows


def compared(folder):
    with open(f"{folder}/types.json") as file:
        types = json.load(file)
    with open(f"{folder}/answer.json") as file:
        body = json.load(file)
    records = figures_of(body) if "other_symbol" in types else records_of(body)

    def of_record(record):
        return {name: of_nested_json(value, types[name], name, types) for name, value in record.items()}

    def typed(value, name):
        return of_typed(value, types[name], name, types)

    expected = [of_record(record) for record in records]
    with open(f"{folder}/answer.ndjson") as file:
        lines = [json.loads(line) for line in file]
    yield "json", [] if expected else ["no records"]
    yield "ndjson", differences(expected, lines, lambda value, name: of_nested_json(value, types[name], name, types))

    texts = {name: pa.string() for name in types}
    table = pyarrow.csv.read_csv(
        f"{folder}/answer.csv",
        parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types=texts, null_values=[""], strings_can_be_null=True, quoted_strings_can_be_null=False
        ),
    )

    def of_text(text, name):
        kind = types[name]
        if text is None or not kind.endswith("object"):
            return of_csv(text, kind)
        return of_nested_json(json.loads(text), kind, name, types)

    yield "csv by pyarrow", differences(expected, table.to_pylist(), of_text)

    with open(f"{folder}/answer.arrow", "rb") as file:
        table = pa.ipc.open_stream(file).read_all()
    yield "arrow by pyarrow", type_faults(table.schema, types) + differences(expected, table.to_pylist(), typed)
    frame = polars.read_ipc_stream(f"{folder}/answer.arrow")
    yield "arrow by polars", differences(expected, frame.to_dicts(), typed)

    table = pyarrow.parquet.ParquetFile(f"{folder}/answer.parquet").read()
    yield "parquet by pyarrow", type_faults(table.schema, types) + differences(expected, table.to_pylist(), typed)
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'Asia/Tokyo'")
    relation = connection.sql(f"FROM read_parquet('{folder}/answer.parquet')")
    rows = relation.to_arrow_table().to_pylist()
    yield "parquet by duckdb", differences(expected, rows, typed)


def reported(folder, operation):
    try:
        return dict(compared(f"{folder}/{operation}"))
    except Unfit as fault:
        sys.exit(f"{operation}: {fault}")


folder, *operations = sys.argv[1:]
print(json.dumps({operation: reported(folder, operation) for operation in operations}))
