-- A rate has an address of its own, which outlives a correction of its day.
alter table exchange_rate
  add column id integer generated always as identity constraint exchange_rate_id_key unique,
  add constraint exchange_rate_source_length check (length(source) <= 200);
