-- Sessions are stored under the SHA-256 of their tokens, and the tokens are stored nowhere. "tokenHash" was
-- generated from the column token: it keeps its values, so every session stays valid.

do $$
begin
  if not exists (
    select from pg_catalog.pg_attribute
    where attrelid operator(pg_catalog.=) 'auth.session'::pg_catalog.regclass
      and attname operator(pg_catalog.=) 'token'::pg_catalog.name and not attisdropped
  ) then
    return;
  end if;
  alter table auth.session alter column "tokenHash" drop expression;
  -- A view of the project that names the column goes with it: the project could never read that view.
  alter table auth.session drop column token cascade;
  -- A column that is dropped stays in the rows until they are written again, which clustering does.
  cluster auth.session using session_pkey;
  alter table auth.session set without cluster;
  -- A token is no hash: 32 bytes that are all letters, digits, - or _ were never hashed (1 hash in 10^19 is).
  alter table auth.session add constraint session_token_hash_check check (
    pg_catalog.octet_length("tokenHash") operator(pg_catalog.=) 32
    and pg_catalog.encode("tokenHash", 'escape') operator(pg_catalog.!~) '^[A-Za-z0-9_-]*$'
  );
end
$$;
