-- Addresses of closed accounts are theirs alone: who registered with one loses it, for it would prevent the account of
-- that number from being closed, or pass for a closed one.
update app_user
   set email = 'refusee-' || gen_random_uuid() || '@adresse.invalid', email_verified = false
 where lower(email) like '%@compte.invalid'
   and not (email = 'ferme-' || id || '@compte.invalid' and name = 'Compte fermé' and password_hash is null);
