# Reçoit les webhooks de Ntalo : NTALO_SECRET=whsec_… PORT=8000 python3 webhook_receiver.py
import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

secret = base64.b64decode(os.environ["NTALO_SECRET"].removeprefix("whsec_"))

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        ident, sent_at = self.headers["webhook-id"] or "", self.headers["webhook-timestamp"] or "0"
        digest = hmac.new(secret, f"{ident}.{sent_at}.".encode() + body, hashlib.sha256).digest()
        own = "v1," + base64.b64encode(digest).decode()
        is_ours = any(hmac.compare_digest(own, each) for each in (self.headers["webhook-signature"] or "").split(" "))
        is_fresh = abs(time.time() - int(sent_at)) < 300
        self.send_response(204 if is_ours and is_fresh else 400)
        self.end_headers()
        # Le même identifiant peut venir deux fois : votre traitement doit le supporter.
        if is_ours and is_fresh:
            print(ident, json.loads(body)["type"], flush=True)

HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()
