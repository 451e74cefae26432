import type { Transaction } from '#libs/database';
import { pageByBytes } from '#libs/wire';

/** One change inside the project. */
export interface AuditRow {
  readonly id: string;
  readonly at: Date;
  readonly actor: {
    readonly kind: string;
    readonly id: string | null;
    readonly email: string | null;
  };
  readonly action: string;
  readonly target: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly ip: string | null;
  readonly requestId: string | null;
}

export interface AuditFilter {
  /** A whole action, or the beginning of several with `*` behind it. */
  readonly action: string | undefined;
  readonly target: string | undefined;
  readonly actorKind: string | undefined;
  readonly actorId: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

const matches = `($1::pg_catalog.text is null or action = $1)
  and ($2::pg_catalog.text is null or pg_catalog.starts_with(action, $2))
  and ($3::pg_catalog.text is null or target = $3)
  and ($4::pg_catalog.text is null or actor_kind = $4)
  and ($5::pg_catalog.text is null or actor_id = $5)
  and ($6::pg_catalog.timestamptz is null or at >= $6)
  and ($7::pg_catalog.timestamptz is null or at < $7)`;

/**
 * The newest entries first: at most `limit`, and fewer if they have more than 8 MB. `next` is the id of the last one, or
 * null if no older entry matches.
 */
export async function listAudit(
  tx: Transaction,
  filter: AuditFilter,
  window: { readonly before: string | undefined; readonly limit: number },
): Promise<{ readonly entries: AuditRow[]; readonly next: string | null }> {
  const { limit, before } = window;
  // One more than asked for shows whether others follow.
  const { rows: found } = await tx.query<{ readonly id: string; readonly bytes: number }>(
    `select id::pg_catalog.text as id,
       coalesce(pg_catalog.octet_length(before::pg_catalog.text), 0)
       + coalesce(pg_catalog.octet_length(after::pg_catalog.text), 0) as bytes
     from platform.audit_log
     where ${matches} and ($8::pg_catalog.int8 is null or id < $8)
     order by audit_log.id desc limit $9`,
    [...valuesOf(filter), before ?? null, limit + 1],
  );
  const { entries, hasMore } = pageByBytes(found, limit);
  const ids = entries.map(({ id }) => id);
  return { entries: await readEntries(tx, ids), next: hasMore ? (ids.at(-1) ?? null) : null };
}

async function readEntries(tx: Transaction, ids: readonly string[]): Promise<AuditRow[]> {
  const { rows } = await tx.query<AuditRow>(
    `select id::pg_catalog.text as id, at,
       pg_catalog.json_build_object('kind', actor_kind, 'id', actor_id, 'email', actor_email) as actor,
       action, target, before, after, ip, request_id as "requestId"
     from platform.audit_log
     where id = any ($1::pg_catalog.int8[])
     order by audit_log.id desc`,
    [ids],
  );
  return rows;
}

export async function countAudit(tx: Transaction, filter: AuditFilter): Promise<number> {
  const { rows } = await tx.query<{ readonly total: number }>(
    `select pg_catalog.count(*)::pg_catalog.int4 as total from platform.audit_log where ${matches}`,
    valuesOf(filter),
  );
  return rows[0]?.total ?? 0;
}

function valuesOf({
  action,
  target,
  actorKind,
  actorId,
  from,
  to,
}: AuditFilter): readonly unknown[] {
  const isPrefix = action?.endsWith('*') === true;
  return [
    isPrefix ? null : (action ?? null),
    isPrefix ? action.slice(0, -1) : null,
    target ?? null,
    actorKind ?? null,
    actorId ?? null,
    from ?? null,
    to ?? null,
  ];
}
