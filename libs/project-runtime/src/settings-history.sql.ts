import type { Transaction } from '#libs/database';

import type { AuditActor } from './audit.js';

type StoredVersion = Readonly<Record<string, unknown>>;

/** How a group was changed. */
export type SettingsAction = 'save' | 'revert' | 'restore';

/** One change of a group. Secrets are the sentinel. */
export interface SettingsVersion {
  readonly id: string;
  readonly at: Date;
  readonly actor: {
    readonly kind: string;
    readonly id: string | null;
    readonly email: string | null;
  };
  readonly action: SettingsAction;
  /** The version that a `restore` has returned to. */
  readonly restoredId: string | null;
  /** What was stored before the change; null if the group was not stored. */
  readonly before: StoredVersion | null;
  /** What is stored since the change. */
  readonly after: StoredVersion | null;
  /** The paths of the secrets that have another value since the change. */
  readonly changedSecrets: readonly string[];
}

/** A change that the history is to keep. */
export interface NewSettingsVersion {
  readonly name: string;
  readonly actor: AuditActor;
  readonly action: SettingsAction;
  readonly restoredId: string | undefined;
  readonly before: StoredVersion | undefined;
  readonly after: StoredVersion | undefined;
  readonly changedSecrets: readonly string[];
}

/** How many versions of a group are kept, and how many bytes their texts may have together. */
export const keptVersions = { count: 100, bytes: 8 * 1024 * 1024 };

const columns = `id::pg_catalog.text as id, at,
  pg_catalog.json_build_object('kind', actor_kind, 'id', actor_id, 'email', actor_email) as actor,
  action, restored_id::pg_catalog.text as "restoredId", before, after,
  changed_secrets as "changedSecrets"`;

/** Stores a version, and deletes the oldest ones of its group that are over a limit. */
export async function appendVersion(tx: Transaction, version: NewSettingsVersion): Promise<void> {
  const { name, actor, action, restoredId, before, after, changedSecrets } = version;
  await tx.query(
    `insert into platform.settings_history
       (name, actor_kind, actor_id, actor_email, action, restored_id, before, after, changed_secrets)
     values ($1, $2, $3, $4, $5, $6::pg_catalog.int8, $7::pg_catalog.jsonb, $8::pg_catalog.jsonb,
       $9::pg_catalog.text[])`,
    [
      name,
      actor.kind,
      actor.id,
      actor.email,
      action,
      restoredId ?? null,
      before ? JSON.stringify(before) : null,
      after ? JSON.stringify(after) : null,
      changedSecrets,
    ],
  );
  await tx.query(
    `delete from platform.settings_history
     where id operator(pg_catalog.=) any (array(
       select sized.id from (
         select id, pg_catalog.row_number() over newest_first as place,
           pg_catalog.sum(
             coalesce(pg_catalog.octet_length(before::pg_catalog.text), 0)
             operator(pg_catalog.+) coalesce(pg_catalog.octet_length(after::pg_catalog.text), 0)
           ) over newest_first as bytes
         from platform.settings_history
         where name operator(pg_catalog.=) $1
         window newest_first as (order by id desc)
       ) sized
       where sized.place operator(pg_catalog.>) $2::pg_catalog.int8
         or (sized.place operator(pg_catalog.>) 1 and sized.bytes operator(pg_catalog.>) $3::pg_catalog.int8)
     ))`,
    [name, keptVersions.count, keptVersions.bytes],
  );
}

/** The newest versions of a group first. */
export async function listVersions(
  tx: Transaction,
  name: string,
  window: { readonly before: string | undefined; readonly limit: number },
): Promise<SettingsVersion[]> {
  const { rows } = await tx.query<SettingsVersion>(
    `select ${columns} from platform.settings_history
     where name operator(pg_catalog.=) $1
       and ($2::pg_catalog.int8 is null or id operator(pg_catalog.<) $2::pg_catalog.int8)
     order by settings_history.id desc limit $3`,
    [name, window.before ?? null, window.limit],
  );
  return rows;
}

export async function countVersions(tx: Transaction, name: string): Promise<number> {
  const { rows } = await tx.query<{ readonly total: number }>(
    `select pg_catalog.count(*)::pg_catalog.int4 as total from platform.settings_history
     where name operator(pg_catalog.=) $1`,
    [name],
  );
  return rows[0]?.total ?? 0;
}

/** One version of a group, and the paths of the secrets that were changed after it. */
export async function findVersion(
  tx: Transaction,
  name: string,
  id: string,
): Promise<(SettingsVersion & { readonly changedLater: readonly string[] }) | undefined> {
  const { rows } = await tx.query<SettingsVersion & { readonly changedLater: readonly string[] }>(
    `select ${columns}, array(
       select distinct pg_catalog.unnest(later.changed_secrets) from platform.settings_history later
       where later.name operator(pg_catalog.=) $1 and later.id operator(pg_catalog.>) $2::pg_catalog.int8
     ) as "changedLater"
     from platform.settings_history
     where name operator(pg_catalog.=) $1 and id operator(pg_catalog.=) $2::pg_catalog.int8`,
    [name, id],
  );
  return rows[0];
}
