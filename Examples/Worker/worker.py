#!/usr/bin/env python3
"""Runs a paid job for a customer, and stops it when the purchase is revoked."""

import argparse
import http.client
import json
import os
import sys
import threading
import time
import urllib.error
import urllib.request


def say(word, **members):
    print(json.dumps({"step": word, **members}), flush=True)


class Clawback:
    """The three questions that a worker has."""

    def __init__(self, base, key):
        self.base = base
        self.key = key

    def open(self, path, body=None, headers=None, timeout=30):
        request = urllib.request.Request(self.base + path, headers=headers or {})
        request.add_header("Authorization", "Bearer " + self.key)
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        return urllib.request.urlopen(request, timeout=timeout)

    def authorize(self, customer, entitlement, milliunits, seconds):
        with self.open(
            "/v1/spend/authorizations",
            {
                "customer": customer,
                "entitlement": entitlement,
                "amount": {"milliunits": milliunits, "currency": "USD"},
                "holdSeconds": seconds + 60,
            },
        ) as answer:
            return json.load(answer)

    def settle(self, answer, milliunits):
        # What took time was spent when it began: who stops at once has spent nothing late.
        body = {"amount": {"milliunits": milliunits, "currency": "USD"}, "spentAtMs": answer["decidedAtMs"]}
        with self.open(f"/v1/spend/authorizations/{answer['id']}/settle", body) as answer:
            return json.load(answer)

    def stream(self, cursor, connected):
        """Yields events for ever, from the one after `cursor`; calls `connected` once it listens."""
        retry = 1.0
        while True:
            try:
                headers = {"Last-Event-ID": cursor} if cursor else {}
                # Twice the heartbeat: a connection that is silent for longer is dead.
                with self.open("/v1/events/stream", headers=headers, timeout=30) as lines:
                    connected()
                    for line in lines:
                        field, _, value = line.decode().rstrip("\n").partition(": ")
                        if field == "id":
                            cursor = value
                        elif field == "retry":
                            retry = int(value) / 1000
                        elif field == "data":
                            yield json.loads(value)
            except urllib.error.HTTPError as error:
                if error.code not in (429, 503):
                    raise
            except (OSError, http.client.HTTPException) as error:
                # The connection broke, or the server is away: it is tried again.
                print(f"{self.base}: {error}; trying again", file=sys.stderr, flush=True)
            time.sleep(retry)


class Watch(threading.Thread):
    """Follows one customer's entitlement, and tells when it is no longer granted."""

    def __init__(self, clawback, customer, entitlement):
        super().__init__(daemon=True)
        self.clawback, self.customer, self.entitlement = clawback, customer, entitlement
        self.listening, self.revoked = threading.Event(), threading.Event()
        self.lock = threading.Lock()
        self.known, self.event, self.failure = 0, None, None

    def run(self):
        try:
            for event in self.clawback.stream(None, self.listening.set):
                self.apply(event)
        except urllib.error.HTTPError as error:
            # The key is no good (any more): a job that nobody can stop must not run.
            self.failure = error
            self.revoked.set()
            self.listening.set()

    def apply(self, event):
        if event.get("customer") != self.customer:
            return
        for standing in event["data"].get("entitlements", []):
            if standing["entitlement"] == self.entitlement and standing["verdict"] != "granted":
                with self.lock:
                    if event["version"] > self.known and not self.revoked.is_set():
                        self.event = event
                        self.revoked.set()

    def begin(self, version):
        """Forgets what the gate knew when it answered: what its version, or one before, says."""
        with self.lock:
            self.known = version
            if self.event and self.event["version"] <= version:
                self.event = None
                self.revoked.clear()


def refusal(error):
    """What a problem document says."""
    try:
        problem = json.load(error)
    except ValueError:
        return str(error)
    return " ".join(filter(None, (problem.get("title"), problem.get("detail"))))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", help="where Clawback serves, as http://127.0.0.1:8080")
    parser.add_argument("customer")
    parser.add_argument("entitlement")
    parser.add_argument("--seconds", type=int, default=10, help="how long the job takes")
    parser.add_argument("--milliunits", type=int, default=100, help="what a second costs")
    options = parser.parse_args()
    key = os.environ.get("CLAWBACK_KEY")
    if not key:
        print("CLAWBACK_KEY is to hold a key of scope spend.", file=sys.stderr)
        return 1
    clawback = Clawback(options.base, key)

    # Listen before asking: no revocation can fall between the two.
    watch = Watch(clawback, options.customer, options.entitlement)
    watch.start()
    watch.listening.wait()
    if watch.failure:
        print(refusal(watch.failure), file=sys.stderr)
        return 1
    cost = options.seconds * options.milliunits
    try:
        answer = clawback.authorize(options.customer, options.entitlement, cost, options.seconds)
    except urllib.error.HTTPError as error:
        print(refusal(error), file=sys.stderr)
        return 1
    if answer["decision"] != "allow":
        say("refused", reason=answer["reason"])
        return 4
    say("authorized", id=answer["id"], version=answer["version"])
    watch.begin(answer["version"])

    begun = time.monotonic()
    stopped = watch.revoked.wait(timeout=options.seconds)  # Here the real job runs.
    spent = min(cost, int((time.monotonic() - begun) * options.milliunits) + 1)
    if stopped:
        event = watch.event or {"id": None, "data": {"decision": {"reason": "unwatched"}}}
        decision = event["data"].get("decision", {})
        say("stopped", event=event["id"], reason=decision.get("reason"))
    else:
        say("finished")
    settled = clawback.settle(answer, spent if stopped else cost)
    say("settled", milliunits=spent if stopped else cost, late=settled.get("late"))
    return 3 if stopped else 0


if __name__ == "__main__":
    raise SystemExit(main())
