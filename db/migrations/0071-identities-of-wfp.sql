-- What WFP numbers, as we know it: a market or a commodity that a newer file calls otherwise stays the same one.
create table wfp_market (
  wfp_id bigint not null constraint wfp_market_pkey primary key,
  market_id integer not null constraint wfp_market_market_fkey references market on delete cascade
);
create index wfp_market_by_market on wfp_market (market_id);
-- A commodity in one unit at one stage of trade.
create table wfp_product (
  wfp_id bigint not null,
  unit text not null,
  format text not null,
  product_id integer not null constraint wfp_product_product_fkey references product on delete cascade,
  constraint wfp_product_pkey primary key (wfp_id, unit, format)
);
create index wfp_product_by_product on wfp_product (product_id);

-- What an import did to the rates of days: null where there was none before. So that undoing it can put that back.
create table rate_revision (
  import_id integer not null constraint rate_revision_import_fkey references import on delete cascade,
  rate_id integer not null,
  cdf_per_usd numeric(14, 6),
  source text,
  -- When it was written: a rate that was touched since stays as it is.
  revised_at timestamptz(3) not null,
  constraint rate_revision_pkey primary key (import_id, rate_id)
);

-- When a price was last changed before an import revised it: undoing puts that back too.
alter table price_revision add column updated_at timestamptz(3);

-- As touch_updated_at, but a statement that says when a row was changed is believed: only undoing an import does.
create function touch_unless_told() returns trigger
  language plpgsql as $$
begin
  if new.updated_at is not distinct from old.updated_at then
    new.updated_at := greatest(now(), old.updated_at + interval '1 millisecond');
  end if;
  return new;
end
$$;
drop trigger price_touch on price;
create trigger price_touch before update on price for each row execute function touch_unless_told();

-- Rates are files like others.
alter table import drop constraint import_kind_known,
  add constraint import_kind_known check (kind in ('prices', 'products', 'rates'));
