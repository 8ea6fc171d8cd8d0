import base64, http.server, json
class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        signed = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["signedPayload"]
        payload = json.loads(base64.urlsafe_b64decode(signed.split(".")[1] + "=="))
        print(payload["notificationType"], payload.get("subtype", ""), flush=True)
        self.send_response(200)
        self.end_headers()

http.server.HTTPServer(("127.0.0.1", 8000), Receiver).serve_forever()
