-- The platform's own role works on every table of auth.

grant select, insert, update, delete on all tables in schema auth to platform_engine;
