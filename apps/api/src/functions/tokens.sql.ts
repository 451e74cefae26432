import type { Transaction } from '#libs/database';

/** A token for functions without its secret part. */
export interface FunctionTokenView {
  readonly id: string;
  readonly name: string;
  /** Its last four characters. */
  readonly hint: string;
  /** Slugs; null: all functions. */
  readonly functions: readonly string[] | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

const fields = `id, name, hint, functions, created_at as "createdAt", last_used_at as "lastUsedAt"`;

/** The newest first. */
export async function listTokens(tx: Transaction): Promise<FunctionTokenView[]> {
  const { rows } = await tx.query<FunctionTokenView>(
    `select ${fields} from platform.edge_function_tokens
     where revoked_at is null order by created_at desc, id`,
  );
  return rows;
}

export async function insertToken(
  tx: Transaction,
  token: Pick<FunctionTokenView, 'name' | 'hint' | 'functions'> & { readonly hash: Buffer },
): Promise<FunctionTokenView> {
  const { name, hash, hint, functions } = token;
  const { rows } = await tx.query<FunctionTokenView>(
    `insert into platform.edge_function_tokens (name, hash, hint, functions)
     values ($1, $2, $3, $4) returning ${fields}`,
    [name, hash, hint, functions],
  );
  const [made] = rows;
  if (!made) throw new Error('the insert returned no row');
  return made;
}

/** The revoked token; undefined if no valid one has this id. */
export async function revokeToken(
  tx: Transaction,
  id: string,
): Promise<FunctionTokenView | undefined> {
  const { rows } = await tx.query<FunctionTokenView>(
    `update platform.edge_function_tokens set revoked_at = pg_catalog.now()
     where id = $1::pg_catalog.uuid and revoked_at is null returning ${fields}`,
    [id],
  );
  // Those of three months ago are of no use to anybody who reads logs.
  await tx.query(
    `delete from platform.edge_function_tokens
     where revoked_at < pg_catalog.now() - interval '90 days'`,
  );
  return rows[0];
}
