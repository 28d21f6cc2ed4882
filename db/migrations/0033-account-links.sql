-- What a link in a mail may do, once, until it expires. Only SHA-256 hashes: a stolen copy of this table opens no account.
create table account_link (
  hash bytea constraint account_link_pkey primary key,
  user_id integer not null constraint account_link_user_fkey references app_user on delete cascade,
  purpose text not null constraint account_link_purpose_known check (purpose in ('reset', 'verify')),
  -- Where it was sent: it proves nothing of an address that the account has had since.
  email text not null constraint account_link_email_length check (length(email) between 3 and 254),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create index account_link_by_user on account_link (user_id, purpose, created_at);
create index account_link_expiry on account_link (expires_at);
