"""A robot that speaks the cyclic UDP protocol, in Python with nothing but the standard library.

Run:    python3 examples/udp-robot/robot.py FINGERPRINT q1,q2,…          the fingerprint is the last line of `flycatcher robot show <robot>`
        npx flycatcher live --robot <robot> --robot-address 127.0.0.1:PORT
Prints: its port, then its mode whenever that changes. It ends when its input is closed.

Its joints go where they are sent to at once. Behind a real robot, `drive` is where the motors are.
Layout, modes and faults: docs/control.md. Python keeps no cycle of a millisecond; this is to read, and for a first try.
"""

import hashlib
import hmac
import math
import os
import select
import socket
import struct
import sys
import time
import zlib

HEADER = struct.Struct("<IBBHIIIBBHdd")
MAGIC, VERSION = 0x43594C46, 2
HELLO, WELCOME, STATE, COMMAND, RELEASE, RESET, ALIVE = range(1, 8)
IDLE, MONITOR, FOLLOW, FAULT = range(4)
MODES = ("idle", "monitor", "command", "fault")
NONE, SILENCE, JUMP, NOT_FINITE, VELOCITY = range(5)
CYCLE = 0.001  # [s]
MISSED, GONE = 12, 2000  # cycles without a command until it brakes, without any frame until the client counts as gone
MAX_SPEED = 4.0  # [rad/s]; a real robot has a limit for each joint
MAX_STEP = 4 * MAX_SPEED * CYCLE  # two commands may come in one cycle and none in the next


class Robot:
    def __init__(self, fingerprint, q, key=b""):
        self.fingerprint, self.q, self.key = fingerprint, q, key
        self.mode, self.fault, self.missed = IDLE, NONE, 0
        self.secret, self.sessions, self.session = os.urandom(32), 0, 0
        self.client, self.heard, self.sent, self.client_time, self.silent = None, 0, 0, 0.0, 0
        self.next = None

    # --- frames

    def frame(self, kind, body, session, acknowledged, echoed):
        self.sent = (self.sent + 1) & 0xFFFFFFFF
        modes = (self.mode, self.fault, min(self.missed, 0xFFFF))
        head = HEADER.pack(
            MAGIC, VERSION, kind, len(self.q), session, self.sent, acknowledged, *modes, time.monotonic(), echoed
        )
        whole = head + body
        whole += struct.pack("<I", zlib.crc32(whole))
        return whole + self.code(whole)

    def code(self, bytes_):
        return hmac.new(self.key, bytes_, hashlib.sha256).digest()[:16] if self.key else b""

    def read(self, bytes_):
        """(kind, session, sequence, time, body) of a frame; None if it is none, or not of a holder of the key."""
        signed = bytes_[:-16] if self.key else bytes_
        if len(signed) < HEADER.size + 4 or not hmac.compare_digest(self.code(signed), bytes_[len(signed) :]):
            return None
        magic, version, kind, count, session, sequence, _, _, _, _, sent, _ = HEADER.unpack_from(signed)
        body, check = signed[HEADER.size : -4], signed[-4:]
        size = {HELLO: 16, WELCOME: 16, STATE: 24 * count, COMMAND: 24 * count}.get(kind, 0)
        is_frame = magic == MAGIC and version == VERSION and HELLO <= kind <= ALIVE and len(body) == size
        if not is_frame or struct.unpack("<I", check)[0] != zlib.crc32(signed[:-4]):
            return None
        return kind, session, sequence, sent, body

    # --- a client

    def session_of(self, sender):
        """A number that only its receiver knows; nothing is kept of a sender until it has shown the number."""
        text = f"{self.sessions} {sender}".encode()
        return struct.unpack_from("<I", hmac.new(self.secret, text, hashlib.sha256).digest())[0] or 1

    def receive(self, bytes_, sender):
        """What is to be answered at once; b"" for nothing."""
        frame = self.read(bytes_)
        if frame is None:
            return b""
        kind, session, sequence, sent, body = frame
        if kind == HELLO:
            if body != self.fingerprint or self.mode != IDLE and sender != self.client:
                return b""
            offered = self.session_of(sender) if self.mode == IDLE else self.session
            return self.frame(WELCOME, self.fingerprint, offered, session, sent)
        if self.mode == IDLE:
            if kind not in (ALIVE, COMMAND, RESET) or session != self.session_of(sender):
                return b""
            self.client, self.session, self.mode, self.fault, self.missed = sender, session, MONITOR, NONE, 0
        elif sender != self.client or session != self.session:
            return b""
        elif not 0 < (sequence - self.heard) & 0xFFFFFFFF <= 1 << 16:
            return b""  # older than one seen before
        self.heard, self.client_time, self.silent = sequence, sent, 0
        if kind == RELEASE:
            self.end()
        elif kind == RESET and self.mode == FAULT:
            self.mode, self.fault, self.missed = MONITOR, NONE, 0
        elif kind == COMMAND and self.mode != FAULT:
            self.take(body)
        return b""

    def end(self):
        self.mode, self.next, self.client = IDLE, None, None
        self.sessions += 1

    def take(self, body):
        count = len(self.q)
        if len(body) != 24 * count:
            return self.fail(NOT_FINITE)
        numbers = struct.unpack(f"<{3 * count}d", body)
        if not all(map(math.isfinite, numbers)):
            return self.fail(NOT_FINITE)
        if any(abs(speed) > 1.25 * MAX_SPEED for speed in numbers[count : 2 * count]):
            return self.fail(VELOCITY)
        self.next = numbers[:count]

    def fail(self, fault):
        self.mode, self.fault, self.next = FAULT, fault, None

    # --- a cycle

    def cycle(self):
        self.silent += 1
        if self.mode != IDLE and self.silent > GONE:
            self.end()
        if self.next is not None:
            far = max(abs(a - b) for a, b in zip(self.next, self.q))
            if far > (self.missed + 1) * MAX_STEP:
                return self.fail(JUMP)
            self.drive(self.next)
            self.mode, self.missed, self.next = FOLLOW, 0, None
        elif self.mode == FOLLOW:
            self.missed += 1
            if self.missed > MISSED:
                self.fail(SILENCE)

    def drive(self, q):
        self.q = list(q)

    def state(self):
        numbers = struct.pack(f"<{3 * len(self.q)}d", *self.q, *([0.0] * 2 * len(self.q)))
        return self.frame(STATE, numbers, self.session, self.heard, self.client_time)


def main(fingerprint, posture):
    key = os.environ.get("FLYCATCHER_ROBOT_KEY", "").encode()
    robot = Robot(bytes.fromhex(fingerprint), [float(q) for q in posture.split(",")], key)
    wire = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    wire.bind(("127.0.0.1", 0))
    wire.setblocking(False)
    print(wire.getsockname()[1], flush=True)
    shown, due = IDLE, time.monotonic()
    while True:
        ready, _, _ = select.select([wire, sys.stdin], [], [], max(0, due - time.monotonic()))
        if sys.stdin in ready and not sys.stdin.buffer.read1(1):
            return
        while wire in ready:
            try:
                bytes_, sender = wire.recvfrom(65536)
            except BlockingIOError:
                break
            answer = robot.receive(bytes_, sender)
            if answer:
                wire.sendto(answer, sender)
        if time.monotonic() >= due:
            due += CYCLE
            robot.cycle()
            if robot.client is not None:
                wire.sendto(robot.state(), robot.client)
        if robot.mode != shown:
            shown = robot.mode
            print(MODES[shown], flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
