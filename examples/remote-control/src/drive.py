"""Drives a mock server from Python, with only the standard library: a world, its rows, faults, clock and webhooks."""

import hashlib
import hmac
import json
import queue
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

SERVER = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:4010"
SECRET = b"whsec_of_the_python_example"
LEADS = "/api/v2/public/leads"

# The mock is on this machine, so requests must not go through a proxy of the environment.
OPENER = build_opener(ProxyHandler({}))


def send(method, url, body=None, key=None):
    """Sends a request, and returns its status, its headers and its JSON."""
    headers = {"content-type": "application/json"}
    if key is not None:
        headers["x-api-key"] = key
    data = None if body is None else json.dumps(body).encode()
    try:
        response = OPENER.open(Request(url, data, headers, method=method), timeout=10)
    except HTTPError as error:
        response = error
    with response:
        return response.status, response.headers, json.load(response)


def control(base_url, method, path, body=None):
    """Calls a control endpoint, and returns its data."""
    status, _, answer = send(method, f"{base_url}/__mock/{path}", body)
    if status >= 400:
        raise RuntimeError(f"{method} /__mock/{path}: {answer['error']}")
    return answer["data"]


def is_signed(body, signature):
    """Whether a signature, in hex as the mock sends it by default, is that of these bytes."""
    expected = hmac.new(SECRET, body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), signature.encode())


class Receiver(BaseHTTPRequestHandler):
    """Accepts signed deliveries and puts their events into a queue. Refuses all others."""

    events = queue.Queue()

    def do_POST(self):
        # The raw bytes: JSON that is parsed and written again may differ from what was signed.
        body = self.rfile.read(int(self.headers["content-length"]))
        signed = is_signed(body, self.headers.get("x-webhook-signature", ""))
        if signed:
            self.events.put(json.loads(body))
        self.send_response(204 if signed else 401)
        self.end_headers()

    def log_message(self, *_):
        pass


def use_rows(world):
    """Creates a row without the API, and reads it through the API."""
    control(world["baseUrl"], "POST", "rows/leads", {"displayName": "Ana", "phone": "+12025550123"})
    _, _, page = send("GET", world["baseUrl"] + LEADS, key=world["apiKey"])
    print("rows:", ", ".join(lead["displayName"] for lead in page["data"]))


def use_faults(world):
    """Makes the requests for one lead fail, and no others."""
    made = [control(world["baseUrl"], "POST", "rows/leads", {"displayName": name}) for name in ("Bea", "Cleo")]
    fault = {"status": 503, "match": {"params": {"id": made[0]["id"]}}}
    control(world["baseUrl"], "POST", "faults", {"operation": "leads.get", "fault": fault, "once": False})
    statuses = [send("GET", f"{world['baseUrl']}{LEADS}/{lead['id']}", key=world["apiKey"])[0] for lead in made]
    print("faults:", *statuses)


def use_clock(world):
    """Meets the rate limit, and moves the clock instead of waiting."""
    status, headers, _ = send("GET", world["baseUrl"] + LEADS, key=world["apiKey"])
    wait = int(headers["retry-after"])
    control(world["baseUrl"], "POST", "clock", {"advance": wait * 1000})
    after, _, _ = send("GET", world["baseUrl"] + LEADS, key=world["apiKey"])
    print(f"clock: {status}, {after} after {wait} s")


def use_webhooks(world):
    """Receives the event of a message from a lead, and checks its signature."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/webhooks"
    try:
        refused, _, _ = send_unsigned(url)
        endpoint = {"url": url, "secret": SECRET.decode()}
        control(world["baseUrl"], "POST", "webhooks/endpoints", endpoint)
        control(world["baseUrl"], "POST", "inbound", {"phone": "+12025550123", "body": "Hello"})
        control(world["baseUrl"], "POST", "webhooks/flush")
        event = Receiver.events.get(timeout=10)
        [delivery] = control(world["baseUrl"], "GET", "deliveries")
        print("webhooks:", event["event"], event["data"]["body"], delivery["state"], f"(unsigned: {refused})")
    finally:
        server.shutdown()


def send_unsigned(url):
    """Sends a delivery without a signature, as a stranger would."""
    try:
        response = OPENER.open(Request(url, b"{}", method="POST"), timeout=10)
    except HTTPError as error:
        response = error
    with response:
        return response.status, response.headers, response.read()


def main():
    # Parallel tests create a world each: they share only the server.
    options = {"clock": "virtual", "rateLimit": {"requests": 2, "perMs": 60_000}}
    world = control(SERVER, "POST", "worlds", options)
    try:
        use_rows(world)
        use_faults(world)
        use_clock(world)
        use_webhooks(world)
    finally:
        control(SERVER, "DELETE", f"worlds/{world['id']}")


main()
