-- What an import found of a price and changed, so that undoing it can put that back. The price itself may be gone.
create table price_revision (
  import_id integer not null constraint price_revision_import_fkey references import on delete cascade,
  price_id bigint not null,
  price_value numeric(14, 2) not null,
  currency text not null,
  -- When it was changed: a price that was touched since stays as it is.
  revised_at timestamptz(3) not null,
  constraint price_revision_pkey primary key (import_id, price_id)
);
