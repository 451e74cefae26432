-- The catalog of the schema as requests use it, kept so that the first request of a process need not read it from the
-- system catalogs. It is sealed with the key of the project: the project's own functions cannot write another one.

create table if not exists platform.stored_catalog (
  is_only_row boolean primary key default true check (is_only_row),
  schema_version pg_catalog.int8 not null,
  -- The form of the catalog, the version of the server and the oid of this table. Numbers in the catalog are oids, so
  -- that it is worth nothing in a table that was restored.
  made_for pg_catalog.text not null,
  sealed pg_catalog.text not null check (pg_catalog.octet_length(sealed) <= 8000000)
);
grant select, insert, update on platform.stored_catalog to platform_engine;
