// The end of an upload: its reservation becomes a file.
import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';

import type { Uploader } from './reservations.js';
import { fileJson, readStoredFile, type StoredFile } from './stored-file.js';
import { takenError } from './taken-error.js';
import { changedMeanwhile } from './write-condition.js';

export interface CommittedUpload {
  /** `repeated`: the upload had made the file before. */
  readonly outcome: 'created' | 'replaced' | 'repeated';
  readonly file: StoredFile;
}

/** The durable bytes of an upload. */
export type UploadContent =
  | {
      /** They are under the version of the upload. */
      readonly kind: 'in-place';
      readonly size: number;
      /** Lower case hexadecimal. */
      readonly sha256?: string | undefined;
    }
  | {
      readonly kind: 'copied';
      readonly size: number;
      /** The version under which the copy is; the bytes of the upload itself are removed. */
      readonly copiedTo: string;
    };

/**
 * Creates the file of an upload whose bytes are durable, and announces it. Throws UPLOAD_NOT_FOUND (404) for an upload
 * that has ended without a file; if another upload was faster FILE_EXISTS (409), 42501 (403) if the uploader does not
 * see its file, and PRECONDITION_FAILED (412).
 */
export async function commitUpload(
  project: ProjectRuntime,
  uploader: Uploader,
  id: string,
  content: UploadContent,
): Promise<CommittedUpload> {
  const [row] = await (content.kind === 'in-place'
    ? project.db.queryAsEngine<CommitRow>(commit, [id, content.size, content.sha256 ?? null])
    : project.db.queryAsEngine<CommitRow>(commitCopy, [id, content.size, content.copiedTo]));
  switch (row?.outcome) {
    case 'created':
    case 'replaced':
    case 'repeated':
      return { outcome: row.outcome, file: readStoredFile(row.file) };
    case 'key_taken':
    case 'not_expected': {
      if (row.taken === null) throw changedMeanwhile();
      const { bucket, key } = row.taken;
      throw await takenError(project, uploader, {
        bucket,
        key,
        upsert: false,
        outcome: row.outcome,
      });
    }
    case 'size_exceeded':
      throw new Error('An upload has become larger than what was reserved for it');
    case 'upload_missing':
    case undefined:
      throw fail('UPLOAD_NOT_FOUND');
  }
}

interface CommitRow {
  readonly outcome:
    | 'created'
    | 'replaced'
    | 'repeated'
    | 'upload_missing'
    | 'key_taken'
    | 'not_expected'
    | 'size_exceeded';
  readonly file: unknown;
  /** Where the file is that was in the way. */
  readonly taken: { readonly bucket: string; readonly key: string } | null;
}

const commitOf = (call: string): string => `select c.outcome, ${fileJson('(c.file)')} as file,
    case when (c.file).key is not null
      then pg_catalog.json_build_object('bucket', (c.file).bucket, 'key', (c.file).key)
    end as taken
  from ${call} c
  left join storage.buckets b on b.slug operator(pg_catalog.=) (c.file).bucket`;

const commit = commitOf(`storage.commit_upload($1, $2, null, pg_catalog.decode($3, 'hex'))`);
const commitCopy = commitOf('storage.commit_copied_upload($1, $2, $3)');
