import type { DataSource } from 'typeorm';

/** Writes down that the operator with this address has signed in now. */
export async function noteSignIn(dataSource: DataSource, email: string): Promise<void> {
  await dataSource.query(
    'update operator set last_sign_in_at = pg_catalog.now() where email = $1',
    [email],
  );
}
