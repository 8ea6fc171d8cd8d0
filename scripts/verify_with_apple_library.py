"""Lets Apple's own server library verify what the simulated App Store signs, strict checks on.

Usage: verify_with_apple_library.py ROOT.der FILE.jsonl BUNDLE_ID APP_APPLE_ID
Prints what each line holds: of a notification the type, the transaction, the renewal's product and
the app transaction; of a line with one signed thing, that thing. "refused" stands for what does not
verify.
"""

import base64
import json
import sys

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException


def claimed(jws):
    payload = jws.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))


def environment(payload):
    """A verifier knows one environment: the text says which it wants."""
    for name in ("data", "summary", "appData"):
        if name in payload:
            return payload[name].get("environment")
    token = payload.get("externalPurchaseToken")
    if token:
        sandbox = token.get("externalPurchaseId", "").startswith("SANDBOX")
        return "Sandbox" if sandbox else "Production"
    return payload.get("environment") or payload.get("receiptType")


def notification(verifier, jws):
    outer = verifier.verify_and_decode_notification(jws)
    words = [outer.rawNotificationType]
    if outer.data and outer.data.signedTransactionInfo:
        words.append(verifier.verify_and_decode_signed_transaction(
            outer.data.signedTransactionInfo).transactionId)
    if outer.data and outer.data.signedRenewalInfo:
        words.append(verifier.verify_and_decode_renewal_info(
            outer.data.signedRenewalInfo).productId)
    consent = outer.appData
    if consent and consent.signedAppTransactionInfo:
        words.append(verifier.verify_and_decode_app_transaction(
            consent.signedAppTransactionInfo).appTransactionId)
    return words


def alone(verifier, name, jws):
    if name == "signedTransactionInfo":
        return [verifier.verify_and_decode_signed_transaction(jws).transactionId]
    if name == "signedRenewalInfo":
        return [verifier.verify_and_decode_renewal_info(jws).originalTransactionId]
    return [verifier.verify_and_decode_app_transaction(jws).appTransactionId]


def main(root, file, bundle_id, app_apple_id):
    with open(root, "rb") as f:
        trusted = [f.read()]
    verifiers = {
        name: SignedDataVerifier(trusted, False, kind, bundle_id, int(app_apple_id))
        for name, kind in (("Sandbox", Environment.SANDBOX), ("Production", Environment.PRODUCTION))
    }
    for line in open(file):
        (name, jws), = json.loads(line).items()
        try:
            verifier = verifiers.get(environment(claimed(jws)), verifiers["Sandbox"])
            words = (notification(verifier, jws) if name == "signedPayload"
                     else alone(verifier, name, jws))
            print(*words)
        except (VerificationException, ValueError):
            print("refused")


main(*sys.argv[1:])
