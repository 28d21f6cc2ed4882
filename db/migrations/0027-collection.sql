-- The field tool: keys of phones, the goods wanted in a market, and what agents saw there.

insert into permission (name, description, is_seeded) values
  ('collection.read', 'Voir les listes des marchés et les appareils des agents', true),
  ('collection.write', 'Tenir les listes des marchés et révoquer les appareils des agents', true);
insert into role_permission (role_id, permission_id)
select role.id, permission.id from role, permission
 where permission.name in ('collection.read', 'collection.write')
   and (role.name in ('super admin', 'admin', 'collector')
        or role.name = 'manager' and permission.name = 'collection.read');

-- A device that opens its session again by signing a counter, without a cookie. It ends with its session.
create table device_key (
  session_id bigint constraint device_key_pkey primary key
    constraint device_key_session_fkey references session on delete cascade,
  -- ECDSA P-256, as SubjectPublicKeyInfo.
  public_key bytea not null constraint device_key_public_key_size check (octet_length(public_key) between 50 and 200),
  name text not null constraint device_key_name_length check (length(name) between 1 and 100),
  -- The last one that it signed: the next must be greater.
  counter bigint not null default 0,
  last_used_at timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now()
);

-- The goods wanted at each visit of a market.
create table market_list (
  market_id integer not null constraint market_list_market_fkey references market on delete cascade,
  product_id integer not null constraint market_list_product_fkey references product on delete cascade,
  quotes_wanted smallint not null default 1 constraint market_list_quotes_range check (quotes_wanted between 1 and 20),
  created_at timestamptz(3) not null default now(),
  constraint market_list_pkey primary key (market_id, product_id)
);
create index market_list_product on market_list (product_id);

-- What an agent saw of a product in a market: its price, the last price unchanged, or that it was absent. Goods that were not
-- looked for have no row.
create table collection_entry (
  id bigint generated always as identity constraint collection_entry_pkey primary key,
  -- Made on the phone: an entry that is sent again is stored once.
  client_id uuid not null constraint collection_entry_client_key unique,
  user_id integer constraint collection_entry_user_fkey references app_user on delete set null,
  device text not null constraint collection_entry_device_length check (length(device) <= 64),
  market_id integer not null constraint collection_entry_market_fkey references market on delete cascade,
  product_id integer not null constraint collection_entry_product_fkey references product on delete cascade,
  kind text not null constraint collection_entry_kind_known check (kind in ('typed', 'unchanged', 'absent')),
  reason text constraint collection_entry_reason_known
    check (reason is null or kind = 'absent' and reason in ('rupture', 'saison', 'refus', 'marché fermé')),
  -- Asked without showing the last price.
  is_blind boolean not null,
  -- Of what it says: the same id with another content is a fault of the phone.
  body_hash bytea not null,
  device_at timestamptz(3) not null,
  captured_at timestamptz(3) not null,
  received_at timestamptz(3) not null default now(),
  -- Without a foreign key, as in price.import_id. Null when absent, and after a correction took its place.
  price_id bigint,
  is_replaced boolean not null default false
);
create index collection_entry_series on collection_entry (market_id, product_id, captured_at);
create index collection_entry_product on collection_entry (product_id);
create index collection_entry_user on collection_entry (user_id, captured_at);
