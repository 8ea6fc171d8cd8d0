"""Lets Apple's own server library verify notifications, and every JWS inside them.

Usage: verify_with_apple_library.py ROOT.der FILE.jsonl BUNDLE_ID APP_APPLE_ID
Prints the type, the transaction and the renewal's product of each, one line a notification.
"""

import json
import sys

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier


def main(root, file, bundle_id, app_apple_id):
    with open(root, "rb") as f:
        verifier = SignedDataVerifier(
            [f.read()], False, Environment.SANDBOX, bundle_id, int(app_apple_id))
    for line in open(file):
        outer = verifier.verify_and_decode_notification(json.loads(line)["signedPayload"])
        words = [outer.rawNotificationType]
        if outer.data and outer.data.signedTransactionInfo:
            words.append(verifier.verify_and_decode_signed_transaction(
                outer.data.signedTransactionInfo).transactionId)
        if outer.data and outer.data.signedRenewalInfo:
            words.append(verifier.verify_and_decode_renewal_info(
                outer.data.signedRenewalInfo).productId)
        print(*words)


main(*sys.argv[1:])
