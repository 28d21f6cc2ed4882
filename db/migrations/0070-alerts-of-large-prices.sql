-- The largest dollar price, in Congolese francs.
alter table alert_event alter column price type numeric(20, 2);
