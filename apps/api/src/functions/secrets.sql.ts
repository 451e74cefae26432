import type { Transaction } from '#libs/database';

/** A secret without its value. */
export interface SecretView {
  readonly name: string;
  readonly updatedAt: Date;
}

export async function listSecrets(tx: Transaction): Promise<SecretView[]> {
  const { rows } = await tx.query<SecretView>(
    `select name, updated_at as "updatedAt" from platform.edge_function_secrets order by name`,
  );
  return rows;
}

/** Writes sealed values by name. */
export async function upsertSecrets(
  tx: Transaction,
  sealed: Readonly<Record<string, string>>,
): Promise<void> {
  await tx.query(
    `insert into platform.edge_function_secrets (name, value)
     select key, value from pg_catalog.jsonb_each_text($1::pg_catalog.jsonb)
     on conflict (name) do update set value = excluded.value, updated_at = pg_catalog.now()`,
    [JSON.stringify(sealed)],
  );
}

/** Returns the names of those that were there. */
export async function deleteSecrets(tx: Transaction, names: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ readonly name: string }>(
    `delete from platform.edge_function_secrets where name = any ($1::pg_catalog.text[])
     returning name`,
    [names],
  );
  return rows.map(({ name }) => name);
}

/** Processes with earlier secrets end; the row also keeps changes one after the other. */
export async function countChange(tx: Transaction): Promise<void> {
  await tx.query('update platform.edge_function_secrets_version set version = version + 1');
}
