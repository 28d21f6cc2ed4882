-- Messages whose provider must be asked what became of them, in the order in which it is.
create index outgoing_message_unanswered on outgoing_message (provider, due_at) where state = 'sent' and reference is not null;
