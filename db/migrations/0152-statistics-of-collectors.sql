-- Collectors write what the figures rest on as they write prices: weights of products and what the INS and the BCC published.
insert into role_permission (role_id, permission_id)
select role.id, permission.id from role, permission
 where role.name = 'collector' and role.is_seeded and permission.name = 'statistics.write'
on conflict do nothing;
