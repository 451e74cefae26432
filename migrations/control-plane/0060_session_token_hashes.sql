-- Sessions of operators are stored under the SHA-256 of their tokens, and the tokens are stored nowhere.
-- Changing the type writes every row again, so no token is left in the file of the table.

do $$
begin
  if not exists (
    select from pg_attribute
    where attrelid = 'operator_session'::regclass and attname = 'token' and not attisdropped
  ) then
    return;
  end if;
  alter table operator_session alter column token type bytea using sha256(convert_to(token, 'UTF8'));
  alter table operator_session rename column token to token_hash;
  -- A token is no hash: 32 bytes that are all letters, digits, - or _ were never hashed.
  alter table operator_session add constraint operator_session_token_hash_check check (
    octet_length(token_hash) = 32 and encode(token_hash, 'escape') !~ '^[A-Za-z0-9_-]*$'
  );
end
$$;
