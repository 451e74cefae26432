// Changes of files, made by the platform after the rights of the caller were asked.
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
  },
): Promise<readonly StoredFile[]> {
  const rows = await project.db.queryAsEngine<FileRow>(
    `select ${fileJson('f')} as file
    from storage.delete_files($1, $2::uuid[], $3::text[]) f join storage.buckets b on b.slug = f.bucket`,
    [bucket, named.ids, named.keys ?? null],
  );
  return rows.map(({ file }) => readStoredFile(file));
}

/** What is at the end of a move now. */
export interface MoveTarget {
  /** Of the bucket; null: every type. */
  readonly allowed_media_types: readonly string[] | null;
  /** The file that has the key; null: none. */
  readonly file_id: string | null;
}

/** Undefined when there is no such bucket. */
export async function findMoveTarget(
  project: ProjectRuntime,
  bucket: string,
  key: string,
): Promise<MoveTarget | undefined> {
  const [row] = await project.db.queryAsEngine<MoveTarget>(
    `select b.allowed_media_types, f.id as file_id
    from storage.buckets b left join storage.stored_files f on f.bucket = b.slug and f.key = $2
    where b.slug = $1`,
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
    from storage.move_file($1, $2, $3, $4) m left join storage.buckets b on b.slug = (m.file).bucket`,
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
  /** Null: what files have by default. */
  readonly cacheControl: string | null | undefined;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
}

/** What is undefined stays. Gives undefined when the file is gone. */
export async function changeRow(
  project: ProjectRuntime,
  id: string,
  { visibility, cacheControl, metadata }: FileChange,
): Promise<StoredFile | undefined> {
  const [row] = await project.db.queryAsEngine<FileRow>(
    `update storage.stored_files f set
      visibility = coalesce($2::text, f.visibility),
      cache_control = case when $3::boolean then $4::text else f.cache_control end,
      user_metadata = coalesce($5::jsonb, f.user_metadata),
      updated_at = now()
    from storage.buckets b
    where f.id = $1 and b.slug = f.bucket
    returning ${fileJson('f')} as file`,
    [
      id,
      visibility ?? null,
      cacheControl !== undefined,
      cacheControl ?? null,
      metadata === undefined ? null : JSON.stringify(metadata),
    ],
  );
  return row && readStoredFile(row.file);
}
