-- Rights and accounts: permissions, the roles that hold them, the users who have roles.
create table permission (
  id integer generated always as identity constraint permission_pkey primary key,
  name text not null constraint permission_name_length check (length(name) between 1 and 100),
  description text constraint permission_description_length check (length(description) <= 500),
  is_seeded boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index permission_name_key on permission (fold(name));

create table role (
  id integer generated always as identity constraint role_pkey primary key,
  name text not null constraint role_name_length check (length(name) between 1 and 100),
  description text constraint role_description_length check (length(description) <= 500),
  is_seeded boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index role_name_key on role (fold(name));

create table role_permission (
  role_id integer not null constraint role_permission_role_fkey references role on delete cascade,
  permission_id integer not null constraint role_permission_permission_fkey references permission,
  constraint role_permission_pkey primary key (role_id, permission_id)
);
create index role_permission_permission on role_permission (permission_id);

create table app_user (
  id integer generated always as identity constraint app_user_pkey primary key,
  name text not null constraint app_user_name_length check (length(name) between 1 and 200),
  email text not null constraint app_user_email_length check (length(email) between 3 and 254),
  password_hash text,
  status text not null default 'ACTIVE'
    constraint app_user_status_known check (status in ('ACTIVE', 'INACTIVE', 'SUSPENDED', 'PENDING', 'BANNED')),
  location text constraint app_user_location_length check (length(location) <= 200),
  avatar_url text,
  auth_provider text not null default 'LOCAL' constraint app_user_provider_known check (auth_provider in ('LOCAL', 'GOOGLE')),
  email_verified boolean not null default false,
  first_signed_in_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- The identifier that Google gives to one account for ever.
  google_sub text constraint app_user_google_sub_length check (length(google_sub) between 1 and 255)
);
create unique index app_user_email_key on app_user (lower(email));
create unique index app_user_google_sub_key on app_user (google_sub);
create index app_user_status on app_user (status, id);
create index app_user_search on app_user using gin (fold(name || ' ' || email || ' ' || coalesce(location, '')) gin_trgm_ops);

create table user_role (
  user_id integer not null constraint user_role_user_fkey references app_user on delete cascade,
  role_id integer not null constraint user_role_role_fkey references role,
  constraint user_role_pkey primary key (user_id, role_id)
);
create index user_role_role on user_role (role_id);

-- A second proof of identity: a code that an application on a telephone makes every 30 seconds (RFC 6238).
create table second_factor (
  user_id integer not null constraint second_factor_pkey primary key
    constraint second_factor_user_fkey references app_user on delete cascade,
  secret bytea not null,
  -- Null until the user has entered a first valid code.
  confirmed_at timestamptz(3),
  -- The last 30 seconds whose code was accepted: each code serves once.
  last_step bigint not null default 0
);

-- Only SHA-256 hashes; each code serves once.
create table recovery_code (
  user_id integer not null constraint recovery_code_user_fkey references second_factor on delete cascade,
  hash bytea not null,
  constraint recovery_code_pkey primary key (user_id, hash)
);

-- The mails that a user wants or refuses; without a row, the default of the kind holds. Security mails are no choice.
create table notification_choice (
  user_id integer not null constraint notification_choice_user_fkey references app_user on delete cascade,
  kind text not null constraint notification_choice_kind_known check (kind in ('subscription-reminders', 'sign-ins')),
  is_wanted boolean not null,
  constraint notification_choice_pkey primary key (user_id, kind)
);

-- A page as a user left it, under a name: its address, filters included.
create table saved_view (
  id integer generated always as identity constraint saved_view_pkey primary key,
  user_id integer not null constraint saved_view_user_fkey references app_user on delete cascade,
  name text not null constraint saved_view_name_length check (length(name) between 1 and 100),
  path text not null constraint saved_view_path_length check (length(path) between 1 and 100),
  search text not null constraint saved_view_search_length check (length(search) <= 2000),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index saved_view_name_key on saved_view (user_id, fold(name));

create trigger permission_touch before update on permission for each row execute function touch_updated_at();
create trigger role_touch before update on role for each row execute function touch_updated_at();
create trigger app_user_touch before update on app_user for each row execute function touch_updated_at();
create trigger saved_view_touch before update on saved_view for each row execute function touch_updated_at();

-- The permissions that the program asks for, and the roles that an installation starts with.
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
  ('access.exempt', 'Consulter les données sans abonnement'),
  ('statistics.write', 'Saisir les pondérations et les chiffres publiés')
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
  ('collector', array['catalogue.%', 'markets.%', 'prices.read', 'prices.write', 'prices.collect', 'statistics.%', 'access.exempt']),
  ('agent', array['catalogue.read', 'markets.read', 'prices.read', 'prices.collect', 'statistics.read', 'access.exempt']),
  ('user', array['catalogue.read', 'markets.read', 'prices.read', 'statistics.read']),
  ('individual', array['catalogue.read', 'markets.read', 'prices.read', 'statistics.read']),
  ('enterprise', array['catalogue.read', 'markets.read', 'prices.read', 'statistics.read'])
) seed (role_name, patterns)
join role on role.name = seed.role_name
join permission on permission.name like any (seed.patterns);
