library(httr2)

answer <- request("https://ntalo.example/api/prices/export") |>
  req_url_query(fileFormat = "csv-machine", startDate = "2026-11-01") |>
  req_auth_bearer_token(Sys.getenv("NTALO_KEY")) |>
  req_retry(max_tries = 3) |>
  req_perform()
prices <- read.csv(text = resp_body_string(answer))
aggregate(price ~ product + market, prices, median)
