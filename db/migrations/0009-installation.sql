-- What this installation is: one row.
create table installation (
  id boolean not null default true constraint installation_pkey primary key constraint installation_single check (id),
  -- Made-up prices were loaded: every screen says so for as long as they are there.
  has_demonstration_data boolean not null default false
);
insert into installation default values;
