insert into permission (name, description, is_seeded)
select name, description, true from (values
  ('catalogue.read', 'Consulter produits, types, catégories et marques'),
  ('catalogue.write', 'Créer, modifier et supprimer dans le catalogue'),
  ('markets.read', 'Consulter les marchés'),
  ('markets.write', 'Créer, modifier et supprimer des marchés'),
  ('prices.read', 'Consulter les prix'),
  ('prices.write', 'Créer, modifier et supprimer tous les prix'),
  ('prices.collect', 'Créer des prix et modifier les siens pendant 48 heures'),
  ('prices.import', 'Importer des fichiers de prix'),
  ('rates.write', 'Saisir et corriger les taux de change'),
  ('statistics.read', 'Consulter les statistiques'),
  ('subscriptions.read', 'Consulter les abonnements de tous'),
  ('subscriptions.write', 'Créer, modifier et supprimer les abonnements de tous'),
  ('plans.write', 'Créer, modifier et supprimer des plans'),
  ('payments.manage', 'Consulter et gérer les paiements de tous'),
  ('users.manage', 'Gérer les utilisateurs et les agents'),
  ('roles.manage', 'Gérer les rôles et les permissions'),
  ('journal.read', 'Consulter le journal'),
  ('superadmins.manage', 'Gérer les super administrateurs'),
  ('access.exempt', 'Consulter les données sans abonnement')
) seed (name, description);

insert into role (name, description, is_seeded)
select name, description, true from (values
  ('super admin', 'Tous les droits, y compris sur les super administrateurs'),
  ('admin', 'Gère la plateforme'),
  ('manager', 'Suit l’activité et les abonnements'),
  ('collector', 'Tient le catalogue, les marchés et les prix'),
  ('agent', 'Collecte des prix sur le terrain'),
  ('user', 'Abonné'),
  ('individual', 'Abonné particulier'),
  ('enterprise', 'Abonné entreprise')
) seed (name, description);

insert into role_permission (role_id, permission_id)
select role.id, permission.id from (values
  ('super admin', array['%']),
  ('admin', array['catalogue.%', 'markets.%', 'prices.%', 'rates.%', 'statistics.%', 'subscriptions.%', 'plans.%', 'payments.%', 'users.%', 'roles.%', 'journal.%', 'access.%']),
  ('manager', array['catalogue.read', 'markets.read', 'prices.read', 'statistics.read', 'subscriptions.read', 'access.exempt']),
  ('collector', array['catalogue.%', 'markets.%', 'prices.read', 'prices.write', 'prices.collect', 'statistics.read', 'access.exempt']),
  ('agent', array['catalogue.read', 'markets.read', 'prices.read', 'prices.collect', 'statistics.read', 'access.exempt']),
  ('user', array['catalogue.read', 'markets.read', 'prices.read', 'statistics.read']),
  ('individual', array['catalogue.read', 'markets.read', 'prices.read', 'statistics.read']),
  ('enterprise', array['catalogue.read', 'markets.read', 'prices.read', 'statistics.read'])
) seed (role_name, patterns)
join role on role.name = seed.role_name
join permission on permission.name like any (seed.patterns);
