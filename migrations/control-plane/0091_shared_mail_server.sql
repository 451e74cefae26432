-- Whether the mails of a project may go over the mail server of the deployment. Null: as the variable SMTP_PROJECTS says.
alter table project add column if not exists shared_mail_server pg_catalog.bool;
