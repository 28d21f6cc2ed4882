import io
import os

import pandas
import requests

answer = requests.get(
    "https://ntalo.example/api/prices/export",
    params={"fileFormat": "csv-machine", "startDate": "2026-11-01"},
    headers={"Authorization": "Bearer " + os.environ["NTALO_KEY"]},
    timeout=60,
)
if not answer.ok:
    raise SystemExit(answer.json()["message"])
prices = pandas.read_csv(io.BytesIO(answer.content))
print(prices.groupby(["product", "market"])["price"].agg(["count", "median"]))
