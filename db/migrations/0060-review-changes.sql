-- Who follows prices also learns that a review of one was opened or closed, and that a photo was added: lists show both.
create function note_price_shown_change() returns trigger language plpgsql as $$
declare
  changed bigint := coalesce(new.price_id, old.price_id);
begin
  -- A price written in this transaction is noted already.
  insert into row_change (of_table, ids, are_deleted)
  select 'price', int8multirange(int8range(changed, changed, '[]')), false
    from price where id = changed and xmin <> pg_current_xact_id()::xid;
  return null;
end
$$;
create trigger price_review_opened after insert on price_review
  for each row execute function note_price_shown_change();
create trigger price_review_closed after update of state on price_review
  for each row when ((old.state in ('waiting', 'returned')) <> (new.state in ('waiting', 'returned')))
  execute function note_price_shown_change();
create trigger price_photo_changed after insert or delete on price_photo
  for each row execute function note_price_shown_change();
