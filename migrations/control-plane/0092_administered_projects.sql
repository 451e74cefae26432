-- Whether an administrator of the deployment created the project: without SMTP_PROJECTS only those projects may use the
-- mail server of the deployment. Projects of earlier releases count as created by an administrator.
alter table project add column if not exists is_administered pg_catalog.bool not null default true;
-- A process of an earlier release that still runs names no creator: its projects count as those of other operators.
alter table project alter column is_administered set default false;
