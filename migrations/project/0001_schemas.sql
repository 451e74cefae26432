-- The schemas of a project and what the roles of the cluster may do in them.
-- anon, authenticated and service_role serve requests; platform_engine is the role of the platform's
-- own work (accounts, settings). The owner of public is set when the project is created.

revoke all on schema public from public;
create schema if not exists auth;
create schema if not exists platform;

revoke all on schema auth, platform from public;
grant usage on schema public to anon, authenticated, service_role;
grant usage on schema auth to anon, authenticated, service_role, platform_engine;
grant usage on schema platform to platform_engine;
