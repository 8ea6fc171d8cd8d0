"""Verifies webhook deliveries with the official library of Standard Webhooks.

Reads one JSON object a line: a secret, the headers, and the body as hexadecimal digits. Prints a line
for each: the type of the event that was verified, or why it was refused.
"""

import json
import sys

from standardwebhooks import Webhook, WebhookVerificationError

for line in open(sys.argv[1], encoding="utf-8"):
    delivery = json.loads(line)
    try:
        body = bytes.fromhex(delivery["body"])
        print(Webhook(delivery["secret"]).verify(body, delivery["headers"])["type"])
    except WebhookVerificationError as error:
        print("refused:", error)
