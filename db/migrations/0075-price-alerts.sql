-- Series whose last prices are unusual, found by a job: to look at every series takes too long for whoever waits.
create table price_alert (
  product_id integer not null,
  market_id integer not null,
  kind text not null,
  -- Natural logarithm of how many times dearer than usual.
  log_change double precision not null,
  -- How far all prices moved meanwhile, a fraction: 0.09 is +9 %.
  overall double precision,
  last_day date not null,
  constraint price_alert_pkey primary key (product_id, market_id),
  constraint price_alert_product_fkey foreign key (product_id) references product (id) on delete cascade,
  constraint price_alert_market_fkey foreign key (market_id) references market (id) on delete cascade,
  constraint price_alert_kind_known check (kind in ('dearer', 'outlier'))
);
create index price_alert_by_market on price_alert (market_id);
