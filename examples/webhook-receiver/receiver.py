"""Takes boardwatch's webhooks and prints what changed. Python 3.9 or later, nothing else:

    WEBHOOK_SECRET=whsec_… python3 receiver.py 127.0.0.1:4000
"""

import hashlib
import hmac
import json
import os
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MAX_BODY = 4 * 1024 * 1024
TOLERANCE = 5 * 60  # seconds
SECRET = os.environ["WEBHOOK_SECRET"].encode()

seen = set()  # of ids taken; a program that must not act twice keeps them in its database
lock = threading.Lock()


def verify(body: bytes, header: str) -> bool:
    """Whether the header signs the raw bytes and is not too old."""
    parts = [part.strip().partition("=") for part in header.split(",")]
    stamps = [value for name, _, value in parts if name == "t"]
    if len(stamps) != 1 or not re.fullmatch(r"[0-9]{1,15}", stamps[0]):
        return False
    if time.time() - int(stamps[0]) > TOLERANCE:
        return False
    expected = hmac.new(SECRET, stamps[0].encode() + b"." + body, hashlib.sha256).hexdigest()
    given = [value for name, _, value in parts if name == "v1" and value.isascii()]
    return any([hmac.compare_digest(value, expected) for value in given])


def take(event: dict) -> None:
    """Acts on one event. When it raises, the sender will try again."""
    kind = event["type"]
    if kind in ("job.found", "job.archived"):
        for job in event["jobs"]:
            print("found" if kind == "job.found" else "closed", event["board"]["company"], job["title"], sep="\t", flush=True)
    elif kind == "board.failed":
        print("failed", event["board"]["company"], event["error"], sep="\t", flush=True)
    elif kind == "ping":
        print("ping", event["webhook"]["id"], sep="\t", flush=True)


class Receiver(BaseHTTPRequestHandler):
    timeout = 10  # seconds that the sender may be silent

    def do_POST(self) -> None:
        try:
            status = self.receive()
        except Exception as error:  # the sender will try again
            print(repr(error), file=sys.stderr)
            status = 500
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def receive(self) -> int:
        if self.path != "/hook":
            return 404
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal():
            return 411
        if int(length) > MAX_BODY:
            return 413
        body = self.rfile.read(int(length))  # the raw bytes: what is signed is what was sent
        if not verify(body, self.headers.get("X-Boardwatch-Signature", "")):
            return 401
        event = json.loads(body)
        with lock:
            if event["id"] not in seen:  # else it was taken before
                take(event)
                seen.add(event["id"])
        return 204

    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    host, _, port = sys.argv[1].partition(":")
    server = ThreadingHTTPServer((host, int(port)), Receiver)
    print(f"listening on http://{host}:{server.server_port}/hook", file=sys.stderr, flush=True)
    server.serve_forever()
