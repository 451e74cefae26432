import type { DataSource } from 'typeorm';

/** Deletes expired rows. Runs with each login, because logins of operators are rare. */
export async function sweepExpired(dataSource: DataSource): Promise<void> {
  await dataSource.query(`
    with sessions as (delete from operator_session where expires_at < pg_catalog.now()),
      verifications as (delete from operator_verification where expires_at < pg_catalog.now()),
      mails as (
        delete from operator_message using operator_invitation as invitation
        where invitation.id = operator_message.invitation_id
          and (invitation.accepted_at is not null or invitation.expires_at < pg_catalog.now())
      ),
      codes as (delete from operator_tried_code where tried_at < pg_catalog.now() - interval '1 hour')
    delete from operator_attempt where window_ends_at < pg_catalog.now()`);
}
