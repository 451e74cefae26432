-- A passkey belongs to one user: with a second one under its id, its owner might sign in as somebody else.

create unique index if not exists passkey_credential_id_key on auth.passkey ("credentialID");
drop index if exists auth.passkey_credential_id_idx;
