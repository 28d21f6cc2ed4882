-- Doubtful prices, which wait for somebody to look at them, and what was decided of each.

update permission set description = 'Voir les prix à vérifier, les visites, les listes des marchés et les appareils des agents'
 where name = 'collection.read';

create table price_review (
  id bigint generated always as identity constraint price_review_pkey primary key,
  -- Without a foreign key: what is rejected is no price any more.
  price_id bigint not null,
  product_id integer not null constraint price_review_product_fkey references product on delete cascade,
  market_id integer not null constraint price_review_market_fkey references market on delete cascade,
  observed_on date not null,
  -- Who wrote it, and to whom it is returned.
  agent_id integer constraint price_review_agent_fkey references app_user on delete set null,
  reasons text[] not null constraint price_review_reasons_known
    check (reasons <@ '{outlier,duplicate,fast,far,absent}' and cardinality(reasons) > 0),
  -- What each reason rests on: see `DoubtEvidence`.
  evidence jsonb not null,
  state text not null default 'waiting' constraint price_review_state_known
    check (state in ('waiting', 'returned', 'confirmed', 'accepted', 'corrected', 'rejected', 'withdrawn')),
  -- As it was when it was doubted.
  price_value numeric(14, 2) not null,
  currency text not null,
  -- What it was corrected to.
  new_value numeric(14, 2),
  new_currency text,
  -- Of the return to its agent, or of the decision.
  comment text constraint price_review_comment_length check (length(comment) <= 300),
  due_on date,
  -- The last time that it was; an answer names it.
  returned_at timestamptz(3),
  -- Its agent saw it again and says that it is right.
  is_maintained boolean not null default false,
  -- Null where two quotes confirmed it.
  decided_by integer constraint price_review_decider_fkey references app_user on delete set null,
  decided_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint price_review_returned check (state <> 'returned' or due_on is not null and returned_at is not null)
);
create unique index price_review_open on price_review (price_id) where state in ('waiting', 'returned');
create index price_review_price on price_review (price_id);
create index price_review_product on price_review (product_id);
create index price_review_market on price_review (market_id);
create index price_review_agent on price_review (agent_id) where state = 'returned';
create index price_review_decided on price_review (decided_at desc, id desc) where decided_at is not null;
create index price_review_decider on price_review (decided_by);

-- The prices that may be somebody's last price: those that nobody doubts. Figures read `price`; a last price, an alert and a round
-- read this.
create view settled_price as
  select id, product_id, market_id, price_value, log_value, currency, flag, collector_name, source, collected_at, observed_on,
         created_at, updated_at
    from price
   where not exists (select from price_review review
                      where review.price_id = price.id and review.state in ('waiting', 'returned'));

-- What an agent answers about a price that was returned to him: its id, and `withdrawn` where he does not remember it.
alter table collection_entry
  add column answers bigint,
  drop constraint collection_entry_kind_known,
  add constraint collection_entry_kind_known
    check (kind in ('typed', 'unchanged', 'absent') or kind = 'withdrawn' and answers is not null);

-- A price that is deleted, by an undone import as well, has nothing left to look at.
create function withdraw_reviews() returns trigger language plpgsql as $$
begin
  update price_review set state = 'withdrawn', decided_at = now()
   where state in ('waiting', 'returned') and price_id in (select id from old_price);
  return null;
end
$$;
create trigger price_review_withdrawn after delete on price referencing old table as old_price
  for each statement execute function withdraw_reviews();
