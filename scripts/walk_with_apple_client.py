"""Lets the API client of Apple's own server library walk through a simulated App Store.

Usage: walk_with_apple_client.py FILE.json
The file is what `clawback simulate --port N --json` prints. Every kind of call is made as anybody
would make it against Apple; only the address differs. Prints what was found, one JSON object.
"""

import json
import sys
import time
import urllib.request
import uuid

from appstoreserverlibrary.api_client import (
    APIException, AppStoreServerAPIClient, GetTransactionHistoryVersion)
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.DeliveryStatus import DeliveryStatus
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import (
    MassExtendRenewalDateRequest)
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.TransactionHistoryRequest import TransactionHistoryRequest
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import (
    UpdateAppAccountTokenRequest)
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

PRO = "com.example.app.pro"


def pages(ask):
    revision, found = None, []
    while True:
        page = ask(revision)
        found += page.signedTransactions
        revision = page.revision
        if not page.hasMore:
            return found


def notifications(client):
    now = int(time.time() * 1000)
    wanted = NotificationHistoryRequest(startDate=now - 170 * 86_400_000, endDate=now)
    token, found = None, []
    while True:
        page = client.get_notification_history(token, wanted)
        found += page.notificationHistory
        token = page.paginationToken
        if not page.hasMore:
            return found


def control(base, word, **members):
    request = urllib.request.Request(
        f"{base}/control/{word}", json.dumps(members).encode(), {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request))


def main(path):
    story = json.load(open(path))
    base = story["url"]
    client = AppStoreServerAPIClient(
        story["privateKey"].encode(), story["keyId"], story["issuerId"], story["bundleId"],
        Environment.PRODUCTION)
    client._base_url = base
    verifier = SignedDataVerifier(
        [open(story["root"], "rb").read()], False, Environment.PRODUCTION, story["bundleId"],
        story["appAppleId"])

    chain = control(base, "buy", product="pro", customer="Zoe")["transactionId"]
    coins = [control(base, "buy", product="coins", customer="Zoe")["transactionId"]
             for _ in range(24)]
    for id in coins[:22]:
        control(base, "refund", transactionId=id)
    control(base, "request-refund", transactionId=coins[23])

    found = {}
    info = client.get_transaction_info(chain).signedTransactionInfo
    found["info"] = verifier.verify_and_decode_signed_transaction(info).productId
    history = pages(lambda revision: client.get_transaction_history(
        chain, revision, TransactionHistoryRequest(), GetTransactionHistoryVersion.V2))
    found["history"] = len({verifier.verify_and_decode_signed_transaction(jws).transactionId
                            for jws in history})
    refunds = pages(lambda revision: client.get_refund_history(chain, revision))
    found["refunds"] = len(refunds)
    statuses = client.get_all_subscription_statuses(chain).data[0].lastTransactions[0]
    verifier.verify_and_decode_renewal_info(statuses.signedRenewalInfo)
    found["status"] = statuses.rawStatus
    download = client.get_app_transaction_info(chain).signedAppTransactionInfo
    found["app"] = verifier.verify_and_decode_app_transaction(download).bundleId
    listed = notifications(client)
    for item in listed:
        verifier.verify_and_decode_notification(item.signedPayload)
    found["notifications"] = len(listed)
    found["order"] = client.look_up_order_id("MT" + chain[-10:]).rawStatus
    found["noOrder"] = client.look_up_order_id("MT0").rawStatus

    client.send_consumption_information(coins[23], ConsumptionRequest(
        customerConsented=True, deliveryStatus=DeliveryStatus.DELIVERED,
        sampleContentProvided=False, consumptionPercentage=50_000))
    client.set_app_account_token(chain, UpdateAppAccountTokenRequest(
        appAccountToken=str(uuid.uuid4())))
    found["extended"] = client.extend_subscription_renewal_date(chain, ExtendRenewalDateRequest(
        extendByDays=5, extendReasonCode=ExtendReasonCode.CUSTOMER_SATISFACTION,
        requestIdentifier="one")).success
    client.extend_renewal_date_for_all_active_subscribers(MassExtendRenewalDateRequest(
        extendByDays=5, extendReasonCode=ExtendReasonCode.OTHER, requestIdentifier="all",
        productId=PRO, storefrontCountryCodes=["USA"]))
    found["pending"] = client.get_status_of_subscription_renewal_date_extensions(
        "all", PRO).complete
    control(base, "travel", hours=3)
    found["complete"] = client.get_status_of_subscription_renewal_date_extensions(
        "all", PRO).complete

    token = client.request_test_notification().testNotificationToken
    for _ in range(200):
        try:
            status = client.get_test_notification_status(token)
            break
        except APIException as error:
            if error.raw_api_error != 4040008:
                raise
            time.sleep(0.05)
    verifier.verify_and_decode_notification(status.signedPayload)
    found["test"] = status.sendAttempts[0].rawSendAttemptResult
    try:
        client.get_transaction_info("1")
    except APIException as error:
        found["missing"] = error.raw_api_error
    print(json.dumps(found, sort_keys=True))


main(*sys.argv[1:])
