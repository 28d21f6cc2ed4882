-- A message that the team wrote down (it came by telephone) is told from one that its sender wrote himself.
alter table contact_message add column is_noted boolean not null default false;
