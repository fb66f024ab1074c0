"""Joins a channel of a tapehouse server and prints its messages, decoded by the official protobuf runtime.

    protoc --python_out=examples/stream -I src/stream tapehouse.proto
    pip install protobuf websockets
    TAPEHOUSE_TOKEN=… python3 examples/stream/listen.py ws://127.0.0.1:8787/api/socket chain_frags:ACME --count 10

Exits after --count messages, or when the server closes the socket, with the reason on standard error.
"""

import argparse
import json
import os
import sys

import tapehouse_pb2
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

parser = argparse.ArgumentParser()
parser.add_argument("url")
parser.add_argument("channel")
parser.add_argument("--count", type=int, default=10)
arguments = parser.parse_args()

token = os.environ["TAPEHOUSE_TOKEN"]
headers = {"Authorization": f"Bearer {token}"}
with connect(arguments.url, additional_headers=headers, subprotocols=["protobuf"]) as socket:
    socket.send(json.dumps({"channel": arguments.channel, "msg_type": "join"}))
    seen = 0
    while seen < arguments.count:
        try:
            frame = tapehouse_pb2.Frame.FromString(socket.recv())
        except ConnectionClosed as closed:
            sys.exit(f"the server closed the socket: {closed.reason}")
        kind = frame.WhichOneof("payload")
        if kind == "response":
            if frame.response.status != "ok":
                sys.exit(f"{frame.channel}: {frame.response.reason}")
            print(f"joined {frame.channel}", file=sys.stderr, flush=True)
        if kind == "chain_frag":
            frag = frame.chain_frag
            print(frag.option_symbol, frag.start_time, frag.volume, frag.close, frag.premium, flush=True)
            seen += 1
        elif kind == "option_trade":
            trade = frame.option_trade
            print(trade.option_chain_id, trade.executed_at, trade.size, trade.price, flush=True)
            seen += 1
