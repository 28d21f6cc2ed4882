-- The dates of a subscription end it: EXPIRED is stored only where somebody set it.
create function subscription_status(status text, end_date timestamptz) returns text
  stable language sql
  return case when status in ('ACTIVE', 'TRIAL') and end_date <= now() then 'EXPIRED' else status end;

-- Those that a job had marked EXPIRED get back the status that it took from them; what somebody set or changed since stays.
update subscription s set status = last.before ->> 'status'
  from (select distinct on (entity_id) entity_id, action, before
          from audit_entry where entity = 'subscriptions' order by entity_id, id desc) last
 where last.entity_id = s.id and last.action = 'expire' and s.status = 'EXPIRED'
   and last.before ->> 'status' in ('ACTIVE', 'TRIAL');
