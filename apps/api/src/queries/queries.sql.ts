import type { Transaction } from '#libs/database';

/** The author of queries, as the table names one. */
export interface QueryAuthor {
  readonly kind: string;
  /** Empty for the secret key. */
  readonly id: string;
}

/** A saved query in a list, without its text. */
export interface QueryEntry {
  readonly id: string;
  readonly name: string;
  readonly isShared: boolean;
  /** Whether the caller has saved it. */
  readonly isOwn: boolean;
  /** The email address of its author; null for the secret key. */
  readonly author: string | null;
  readonly updatedAt: Date;
}

export interface SavedQuery extends QueryEntry {
  readonly sql: string;
}

export interface QueryFields {
  readonly name: string;
  readonly sql: string;
  readonly isShared: boolean;
}

const isOwn = 'author_kind = $1 and author_id = $2';
const entry = `id, name, is_shared as "isShared", (${isOwn}) as "isOwn", author_email as author,
  updated_at as "updatedAt"`;

/** The author's own queries and those that are shared, by name. */
export async function listQueries(
  tx: Transaction,
  { kind, id }: QueryAuthor,
): Promise<QueryEntry[]> {
  const { rows } = await tx.query<QueryEntry>(
    `select ${entry} from platform.saved_queries
     where is_shared or (${isOwn}) order by pg_catalog.lower(name), id`,
    [kind, id],
  );
  return rows;
}

/** A query that the author may see; it stays as it is until the transaction ends. */
export async function findQuery(
  tx: Transaction,
  { kind, id }: QueryAuthor,
  queryId: string,
): Promise<SavedQuery | undefined> {
  const { rows } = await tx.query<SavedQuery>(
    `select ${entry}, sql from platform.saved_queries
     where id = $3::pg_catalog.uuid and (is_shared or (${isOwn})) for update`,
    [kind, id, queryId],
  );
  return rows[0];
}

/** How many queries the author has, and how many the project. One transaction at a time counts and inserts. */
export async function countQueries(
  tx: Transaction,
  { kind, id }: QueryAuthor,
): Promise<{ readonly own: number; readonly all: number }> {
  await tx.query(
    `select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('rowhouse saved queries', 0))`,
  );
  const { rows } = await tx.query<{ own: number; all: number }>(
    `select pg_catalog.count(*)::pg_catalog.int4 as "all",
       (pg_catalog.count(*) filter (where ${isOwn}))::pg_catalog.int4 as own
     from platform.saved_queries`,
    [kind, id],
  );
  return rows[0] ?? { own: 0, all: 0 };
}

export async function insertQuery(
  tx: Transaction,
  { kind, id, email }: QueryAuthor & { readonly email: string | null },
  { name, sql, isShared }: QueryFields,
): Promise<SavedQuery> {
  const { rows } = await tx.query<SavedQuery>(
    `insert into platform.saved_queries (author_kind, author_id, author_email, name, sql, is_shared)
     values ($1, $2, $3, $4, $5, $6) returning ${entry}, sql`,
    [kind, id, email, name, sql, isShared],
  );
  const [made] = rows;
  if (!made) throw new Error('the insert returned no row');
  return made;
}

export async function updateQuery(
  tx: Transaction,
  { kind, id }: QueryAuthor,
  { id: queryId, name, sql, isShared }: QueryFields & { readonly id: string },
): Promise<SavedQuery | undefined> {
  const { rows } = await tx.query<SavedQuery>(
    `update platform.saved_queries
     set name = $4, sql = $5, is_shared = $6, updated_at = pg_catalog.now()
     where id = $3::pg_catalog.uuid returning ${entry}, sql`,
    [kind, id, queryId, name, sql, isShared],
  );
  return rows[0];
}

export async function deleteQuery(tx: Transaction, queryId: string): Promise<void> {
  await tx.query('delete from platform.saved_queries where id = $1::pg_catalog.uuid', [queryId]);
}
