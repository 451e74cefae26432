// The rights of callers on files, evaluated by the policies.
import type { AskedDatabase } from '../core/asked-database.js';
import type { FileReader } from '../core/locate.js';
import type { Visibility } from '../core/stored-file.js';

/** A caller whose policies are evaluated. */
export type CallingReader = Extract<FileReader, { kind: 'caller' }>;

/** The check writes nothing that must last, so the transaction does not wait for the WAL flush. */
const asking = `(select pg_catalog.set_config('synchronous_commit', 'off', true)) asking`;

/** The ids among these of files that the caller may delete. */
export async function listDeletable(
  project: AskedDatabase,
  reader: CallingReader,
  ids: readonly string[],
): Promise<readonly string[]> {
  const text = `select coalesce(pg_catalog.json_agg(id), '[]')
    from ${asking}, storage.list_deletable(array(
      select pg_catalog.jsonb_array_elements_text($1::pg_catalog.jsonb)::pg_catalog.uuid
    )) id`;
  // The statement selects UUIDs.
  return (await ask(project, reader, { text, values: [JSON.stringify(ids)] })) as string[];
}

/** What a request names in a bucket: an id first, where there is one with this text, else a key. */
export interface NamedFile {
  readonly key: string;
  /** The same text, where it has the form of a UUID. */
  readonly id: string | null;
}

/** The ids of those files that the caller sees and may delete. */
export async function listNamedDeletable(
  project: AskedDatabase,
  reader: CallingReader,
  { bucket, files }: { readonly bucket: string; readonly files: readonly NamedFile[] },
): Promise<readonly string[]> {
  const text = `select coalesce(pg_catalog.json_agg(deletable), '[]')
    from ${asking}, storage.list_deletable(array(
      select distinct coalesce(by_id.id, by_key.id)
      from pg_catalog.jsonb_to_recordset($2::pg_catalog.jsonb)
        as named (key pg_catalog.text, id pg_catalog.uuid)
      left join storage.files by_id on by_id.bucket operator(pg_catalog.=) $1::pg_catalog.text
        and by_id.id operator(pg_catalog.=) named.id
      left join storage.files by_key on by_key.bucket operator(pg_catalog.=) $1::pg_catalog.text
        and by_key.key operator(pg_catalog.=) named.key
      where by_id.id is not null or by_key.id is not null
    )) deletable`;
  // The statement selects UUIDs.
  return (await ask(project, reader, {
    text,
    values: [bucket, JSON.stringify(files)],
  })) as string[];
}

/** A file that gets another key, and the file that has it now. */
export interface Move {
  readonly id: string;
  readonly toKey: string;
  readonly targetId: string | undefined;
}

export interface MoveRights {
  readonly mayMove: boolean;
  /** Whether the file in the way may be deleted; true when there is none. */
  readonly mayReplace: boolean;
}

export async function readMoveRights(
  project: AskedDatabase,
  reader: CallingReader,
  { id, toKey, targetId }: Move,
): Promise<MoveRights> {
  const text = `select pg_catalog.json_build_object(
      'mayMove', storage.may_update($1::pg_catalog.uuid, $2::pg_catalog.text),
      'mayReplace', $3::pg_catalog.uuid is null
        or exists (select from storage.list_deletable(array[$3::pg_catalog.uuid]))
    ) from ${asking}`;
  // Written by the statement.
  return (await ask(project, reader, {
    text,
    values: [id, toKey, targetId ?? null],
  })) as MoveRights;
}

/** Whether the caller may give the file these values, as far as there are any. */
export async function mayChange(
  project: AskedDatabase,
  reader: CallingReader,
  change: {
    readonly id: string;
    readonly visibility: Visibility | undefined;
    readonly metadata: Readonly<Record<string, unknown>> | undefined;
  },
): Promise<boolean> {
  const { id, visibility, metadata } = change;
  const text = `select pg_catalog.to_json(storage.may_update(
      $1::pg_catalog.uuid, null, null, null, $2::pg_catalog.text, $3::pg_catalog.jsonb
    ))
    from ${asking}`;
  const values = [id, visibility ?? null, metadata === undefined ? null : JSON.stringify(metadata)];
  return (await ask(project, reader, { text, values })) === true;
}

/** Runs a statement as the caller and gives the one JSON value that it selects. */
async function ask(
  project: AskedDatabase,
  { credential, client }: CallingReader,
  query: { readonly text: string; readonly values: readonly (string | null)[] },
): Promise<unknown> {
  const queries = [query];
  const reply = await project.db.runTable({ credential, client, queries, readOnly: false });
  const rows = reply.results[0]?.rows;
  if (!rows || rows.count !== 1) throw new Error('A question has one row as its answer');
  return JSON.parse(rows.first(0).toString('utf8'));
}
