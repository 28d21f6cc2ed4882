-- Entries of the journal up to this one are no sign that the clock runs behind: an operator has said that they were written
-- under a clock that ran ahead.
alter table installation add column clock_accepted_entry bigint not null default 0;
