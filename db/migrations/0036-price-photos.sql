-- Photos that agents give as proof of a price. Their files stand apart from pictures that everybody may see.
create table price_photo (
  -- Without a foreign key, as in collection_entry: the trigger below follows the price.
  price_id bigint not null,
  -- Of what the phone sent: the same photo is stored once.
  sha256 bytea not null constraint price_photo_sha256_size check (octet_length(sha256) = 32),
  -- The picture that was drawn from it: the SHA-256 of its bytes, in hexadecimal.
  image text not null constraint price_photo_image_hash check (image ~ '^[0-9a-f]{64}$'),
  user_id integer constraint price_photo_user_fkey references app_user on delete set null,
  received_at timestamptz(3) not null default now(),
  constraint price_photo_pkey primary key (price_id, sha256)
);
create index price_photo_image on price_photo (image);
create index price_photo_user on price_photo (user_id);

-- A price that is deleted, by an undone import as well, has nothing left to prove; the files go with the daily sweep.
create function delete_price_photos() returns trigger language plpgsql as $$
begin
  delete from price_photo where price_id in (select id from old_price);
  return null;
end
$$;
create trigger price_photo_deleted after delete on price referencing old table as old_price
  for each statement execute function delete_price_photos();
