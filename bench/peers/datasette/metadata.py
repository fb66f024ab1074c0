"""Prints Datasette's metadata with a query for each question: metadata.py <folder of questions>."""

import json
import re
import sys
from pathlib import Path

queries = {}
for path in Path(sys.argv[1]).glob("*.sql"):
    sql = path.read_text()
    queries[path.stem] = {"sql": sql, "params": sorted(set(re.findall(r"(?<![\w':]):([a-z_]+)", sql)))}
print(json.dumps({"databases": {"data": {"queries": queries}}}))
