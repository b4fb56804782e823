"""Subscribes to the stream of a live run from Python, with nothing but the standard library.

Run:    npx flycatcher live --serve          in another terminal
        python3 examples/08-watch-the-stream.py [http://localhost:8080] [throws]
Prints: the robot, each throw with its outcome, and the newest pose that came.

A WebSocket is a TCP connection with an HTTP greeting and framed messages (RFC 6455). The package `websockets` does the same in three lines.
"""

import base64
import json
import os
import socket
import struct
import sys
from urllib.parse import urlsplit


def connect(address):
    """Opens the stream; the service answers 101 and sends frames from then on."""
    host, port = urlsplit(address).hostname, urlsplit(address).port or 80
    connection = socket.create_connection((host, port))
    key = base64.b64encode(os.urandom(16)).decode()
    connection.sendall(
        f"GET /v1/live/stream HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: flycatcher.v1\r\n\r\n".encode()
    )
    stream = connection.makefile("rb")
    status = stream.readline().decode().strip()
    if " 101 " not in f"{status} ":
        sys.exit(f"{address} has no live stream: {status}")
    while stream.readline() not in (b"\r\n", b""):
        pass
    return stream


def frames(stream):
    """Yields (opcode, payload) of each message: 1 is text, 2 is binary."""
    while header := stream.read(2):
        opcode, length = header[0] & 15, header[1] & 127
        if length == 126:
            (length,) = struct.unpack(">H", stream.read(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", stream.read(8))
        yield opcode, stream.read(length)


def main(address="http://localhost:8080", throws="3"):
    pose, seen = None, 0
    for opcode, payload in frames(connect(address)):
        if opcode == 2 and payload[0] == 1:  # a pose: joints from byte 16 on, after counts and time
            joints = payload[1]
            pose = struct.unpack_from(f"<d{joints}f", payload, 8)
        if opcode != 1:
            continue
        message = json.loads(payload)
        if message["type"] == "hello":
            print(f"{message['facts']['robot']}, software {message['software']}", flush=True)
        elif message["type"] == "throw":
            result, seen = message["result"], seen + 1
            print(f"{message['time']:.2f} s: throw {result['id']} {result['outcome']}", flush=True)
            if seen >= int(throws):
                break
    if pose:
        print(f"At {pose[0]:.2f} s the first joint stood at {pose[1]:.3f}, of {len(pose) - 1} joints.")


main(*sys.argv[1:])
