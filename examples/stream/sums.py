"""Prints the sums of a replayed day, per ticker and over all tickers, as JSON.

    pip install protobuf grpcio-tools
    python -m grpc_tools.protoc --proto_path=src/stream --python_out=generated tapehouse.proto
    tapehouse stream --date 2024-12-31 --speed max | python examples/stream/sums.py generated

It reads length-delimited frags (each preceded by its length) from a file or from standard input. The ticker is the
root of the option symbol: the part before the expiry.
"""

import json
import sys
from collections import defaultdict
from decimal import Decimal

from google.protobuf.proto import parse_length_prefixed

# The sums, each with the field that is summed.
VOLUMES = {
    "ask": "ask_side_volume",
    "bid": "bid_side_volume",
    "mid": "mid_volume",
    "no_side": "no_side_vol",
    "floor": "floor_volume",
    "sweep": "sweep_volume",
    "cross": "cross_volume",
    "stock_multi_leg": "stock_multi_leg_volume",
    "multileg": "multileg_volume",
    "volume": "volume",
    "trades": "trades",
}
OSI_TAIL = 15  # yymmdd, C or P, and the strike in eight digits


def sums_of(frags):
    """Adds up frags. Returns the sums per ticker; the key None has those over all tickers."""
    sums = defaultdict(lambda: {"frags": 0, "premium": Decimal(0), **dict.fromkeys(VOLUMES, 0)})
    for frag in frags:
        for ticker in (None, frag.option_symbol[:-OSI_TAIL]):
            own = sums[ticker]
            own["frags"] += 1
            own["premium"] += Decimal(frag.premium)
            for name, field in VOLUMES.items():
                own[name] += getattr(frag, field)
    return sums


def frags_in(stream, message_class):
    """Reads frags until the stream ends."""
    while (frag := parse_length_prefixed(message_class, stream)) is not None:
        yield frag


def main():
    if not 2 <= len(sys.argv) <= 3:
        sys.exit("usage: sums.py <folder of tapehouse_pb2.py> [file]")
    sys.path.insert(0, sys.argv[1])
    from tapehouse_pb2 import ChainFrag

    with open(sys.argv[2], "rb") if len(sys.argv) == 3 else sys.stdin.buffer as stream:
        sums = sums_of(frags_in(stream, ChainFrag))
    total = sums.pop(None, {})
    json.dump({"all": total, "tickers": dict(sorted(sums.items()))}, sys.stdout, default=str)


if __name__ == "__main__":
    main()
