-- An alert says which price is compared with which mean. The job finds all alerts again.
delete from price_alert;
alter table price_alert
  -- In CDF: the mean of the last 30 days, or the last price; and the mean of the windows before, or the median.
  add column shown double precision not null,
  add column usual double precision not null;
