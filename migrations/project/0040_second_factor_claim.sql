-- The claims of a user with a verified second factor say so (`has_second_factor`). The lookup of a request
-- reads them anyway, so administration can require the second factor without another statement. Users without
-- a factor keep the claims that they have: the claim is absent.

create or replace function auth.keep_claims() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  new.claims := pg_catalog.left(pg_catalog.json_build_object(
    'sub', new.id,
    'role', 'authenticated',
    'user_role', new.role,
    'email', new.email,
    'is_anonymous', new."isAnonymous",
    'app_metadata', new.app_metadata,
    'user_metadata', new.user_metadata
  )::text, -1);
  if new."twoFactorEnabled" then
    new.claims := new.claims || ',"has_second_factor":true';
  end if;
  return new;
end
$$;

-- The trigger writes the claims again.
update auth."user" set "twoFactorEnabled" = true where "twoFactorEnabled";
