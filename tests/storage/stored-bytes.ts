// What uploads have left behind, seen from outside: bytes in the store and counters in the database.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GetObjectCommand } from '@aws-sdk/client-s3';

import type { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import type { S3Server } from '../support/s3-server.js';
import { rowsIn } from './bucket-rows.js';

/** The bytes of a file, from where they lie: the folder of the deployment, or the last bucket of the store. */
export async function readStored(
  project: ProjectUnderTest,
  id: string,
  { deployment, store }: { readonly deployment: Deployment; readonly store?: S3Server | undefined },
): Promise<Buffer> {
  const [row] = await rowsIn(project, 'select * from storage.stored_files where id = $1', [id]);
  const version = String(row?.['version']);
  if (!store) {
    const folder = join(deployment.ground.dataDir, 'projects', project.ref, 'files');
    return readFile(join(folder, version.slice(0, 2), version));
  }
  const Bucket = store.buckets.at(-1);
  const Key = [row?.['bucket'], project.ref, row?.['stored_key'], version].join('/');
  const { Body } = await store.client.send(new GetObjectCommand({ Bucket, Key }));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
}

export interface UploadState {
  /** Whether the counters of the bucket are what its rows say. */
  readonly isExact: boolean;
  readonly used: number;
  readonly reserved: number;
  readonly files: number;
}

/** The counters of a bucket. */
export async function uploadState(project: ProjectUnderTest, slug: string): Promise<UploadState> {
  const [row] = await rowsIn(
    project,
    `select b.used_bytes::int as used, b.reserved_bytes::int as reserved, b.object_count::int as files,
       b.used_bytes = (select coalesce(sum(size), 0) from storage.stored_files where bucket = b.slug)
       and b.object_count = (select count(*) from storage.stored_files where bucket = b.slug)
       and b.reserved_bytes = (select coalesce(sum(size), 0) from storage.uploads where bucket = b.slug)
       as "isExact"
     from storage.buckets b where b.slug = $1`,
    [slug],
  );
  // The statement names its columns as the type does.
  return row as unknown as UploadState;
}
