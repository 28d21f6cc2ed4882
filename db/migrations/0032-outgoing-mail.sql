-- Mails written in the transaction that causes them, sent afterwards by any process, deleted once the mail server has them.
create table outgoing_mail (
  id bigint generated always as identity constraint outgoing_mail_pkey primary key,
  -- Names the mail to those who receive it twice: a process may die between sending it and saying so here.
  key uuid not null default uuidv7(),
  recipient text not null
    constraint outgoing_mail_recipient_one_line check (length(recipient) between 3 and 254 and recipient !~ '[[:cntrl:]]'),
  reply_to text
    constraint outgoing_mail_reply_to_one_line check (length(reply_to) between 3 and 254 and reply_to !~ '[[:cntrl:]]'),
  content jsonb not null,
  -- Not before; moved on when an attempt begins, so that a mail whose process dies is tried again.
  send_at timestamptz(3) not null default now(),
  attempts smallint not null default 0,
  last_error text,
  created_at timestamptz(3) not null default now()
);
create index outgoing_mail_by_time on outgoing_mail (send_at, id);
