-- A command gives its import its id first, and the row that tells of it last, in the same transaction.
alter table price_revision alter constraint price_revision_import_fkey deferrable initially deferred;
alter table rate_revision alter constraint rate_revision_import_fkey deferrable initially deferred;
