-- Where an agent is expected to collect.
create table agent_market (
  user_id integer not null constraint agent_market_user_fkey references app_user on delete cascade,
  market_id integer not null constraint agent_market_market_fkey references market on delete cascade,
  constraint agent_market_pkey primary key (user_id, market_id)
);
create index agent_market_market on agent_market (market_id);

-- What an agent collected lately, and last.
drop index price_by_writer;
create index price_by_writer on price (written_by, collected_at) where written_by is not null;

create index app_user_status on app_user (status, id);
