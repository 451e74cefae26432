// Changes of files, run by the platform after the caller's rights were checked.
import type { ProjectRuntime } from '#libs/project-runtime';

import { fileJson, readStoredFile, type StoredFile, type Visibility } from '../core/stored-file.js';

interface FileRow {
  readonly file: unknown;
}

/** Deletes files of one bucket and gives those that were there. */
export async function deleteRows(
  project: ProjectRuntime,
  bucket: string,
  named: {
    readonly ids: readonly string[];
    /** Only files that still have one of these keys. */
    readonly keys?: readonly string[] | undefined;
    /** Only files that still have one of these versions. */
    readonly versions?: readonly string[] | undefined;
  },
): Promise<readonly StoredFile[]> {
  const rows = await project.db.queryAsEngine<FileRow>(
    `select ${fileJson('f')} as file
    from storage.delete_files(
      $1, $2::pg_catalog.uuid[], $3::pg_catalog.text[], $4::pg_catalog.uuid[]
    ) f
    join storage.buckets b on b.slug operator(pg_catalog.=) f.bucket`,
    [bucket, named.ids, named.keys ?? null, named.versions ?? null],
  );
  return rows.map(({ file }) => readStoredFile(file));
}

/** Whether a file becomes public with its bucket. */
export async function followsBucket(project: ProjectRuntime, id: string): Promise<boolean> {
  const [row] = await project.db.queryAsEngine<{ readonly follows_bucket: boolean }>(
    'select follows_bucket from storage.stored_files where id operator(pg_catalog.=) $1',
    [id],
  );
  return row?.follows_bucket === true;
}

/** What is at the end of a move now. */
export interface MoveTarget {
  /** Of the bucket; null: every type. */
  readonly allowed_media_types: readonly string[] | null;
  /** The file that has the key; null: none. */
  readonly file_id: string | null;
}

/** Undefined if the bucket does not exist. */
export async function findMoveTarget(
  project: ProjectRuntime,
  bucket: string,
  key: string,
): Promise<MoveTarget | undefined> {
  const [row] = await project.db.queryAsEngine<MoveTarget>(
    `select b.allowed_media_types, f.id as file_id
    from storage.buckets b
    left join storage.stored_files f
      on f.bucket operator(pg_catalog.=) b.slug and f.key operator(pg_catalog.=) $2
    where b.slug operator(pg_catalog.=) $1`,
    [bucket, key],
  );
  return row;
}

export interface MovedTo {
  readonly id: string;
  /** Undefined for a file that was named by its id. */
  readonly fromKey: string | undefined;
  readonly toKey: string;
  /** The file that may go. */
  readonly replaces: string | undefined;
}

export interface MovedRow {
  readonly outcome: 'moved' | 'file_missing' | 'file_too_large' | 'key_taken';
  readonly file: StoredFile | undefined;
  /** Of one file in its bucket, in bytes; null: no limit. */
  readonly maxFileBytes: number | null;
}

/** Gives a file another key; a file that has it is deleted when it is `replaces`. */
export async function moveRow(
  project: ProjectRuntime,
  { id, fromKey, toKey, replaces }: MovedTo,
): Promise<MovedRow | undefined> {
  const [row] = await project.db.queryAsEngine<
    FileRow & Pick<MovedRow, 'outcome'> & { max_bytes: string | null }
  >(
    `select m.outcome, b.max_file_bytes as max_bytes,
      case when b.slug is not null then ${fileJson('(m.file)')} end as file
    from storage.move_file($1, $2, $3, $4) m
    left join storage.buckets b on b.slug operator(pg_catalog.=) (m.file).bucket`,
    [id, toKey, replaces ?? null, fromKey ?? null],
  );
  return (
    row && {
      outcome: row.outcome,
      file: row.file === null ? undefined : readStoredFile(row.file),
      maxFileBytes: row.max_bytes === null ? null : Number(row.max_bytes),
    }
  );
}

export interface FileChange {
  readonly visibility: Visibility | undefined;
  /** Whether the file becomes public with its bucket. */
  readonly followsBucket: boolean | undefined;
  /** Null: what files have by default. */
  readonly cacheControl: string | null | undefined;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
}

/** What is undefined stays. Returns undefined when the file is gone, or has another version than is expected. */
export async function changeRow(
  project: ProjectRuntime,
  { id, version }: { readonly id: string; readonly version: string | undefined },
  { visibility, followsBucket, cacheControl, metadata }: FileChange,
): Promise<StoredFile | undefined> {
  const [row] = await project.db.queryAsEngine<FileRow>(
    `update storage.stored_files f set
      visibility = coalesce($2::pg_catalog.text, f.visibility),
      cache_control = case when $3::pg_catalog.bool then $4::pg_catalog.text else f.cache_control end,
      user_metadata = coalesce($5::pg_catalog.jsonb, f.user_metadata),
      follows_bucket = coalesce($6::pg_catalog.bool, f.follows_bucket),
      updated_at = pg_catalog.now()
    from storage.buckets b
    where f.id operator(pg_catalog.=) $1 and b.slug operator(pg_catalog.=) f.bucket
      and ($7::pg_catalog.uuid is null or f.version operator(pg_catalog.=) $7::pg_catalog.uuid)
    returning ${fileJson('f')} as file`,
    [
      id,
      visibility ?? null,
      cacheControl !== undefined,
      cacheControl ?? null,
      metadata === undefined ? null : JSON.stringify(metadata),
      followsBucket ?? null,
      version ?? null,
    ],
  );
  return row && readStoredFile(row.file);
}
