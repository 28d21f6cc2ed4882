-- A person who refused the reports of an owner is not invited again once the refused report is deleted. Only a hash of
-- the address is kept: most of these people have no account.
create table report_refusal (
  user_id integer not null,
  email_hash bytea not null,
  created_at timestamptz(3) not null default now(),
  constraint report_refusal_pkey primary key (user_id, email_hash),
  constraint report_refusal_user_fkey foreign key (user_id) references app_user (id) on delete cascade
);

insert into report_refusal (user_id, email_hash)
select distinct report.user_id, sha256(convert_to(lower(email), 'UTF8'))
  from report_recipient join report on report.id = report_id
 where state = 'left';

-- A mail given up because no mail server took it for days says nothing about the address, unlike a refused one.
alter table report_delivery drop constraint report_delivery_state_known;
alter table report_delivery add constraint report_delivery_state_known check (
  state in ('waiting', 'sending', 'sent', 'refused', 'expired', 'unknown', 'none'));
update report_delivery delivery set state = 'expired'
  from report_issue issue
 where issue.id = issue_id and delivery.state = 'refused' and begun_at > made_at + interval '5 days';
