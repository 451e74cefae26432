// A project database with files: one connection for each role, and short ways to the functions of storage.

import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { LoginKind } from '../../libs/control-plane/src/provisioning/names.js';
import { createProject, type ProjectFixture } from './project-fixture.js';

export interface StorageFixture extends ProjectFixture {
  /** Opens one more connection as a login of the project; closed with the fixture. */
  login(role: LoginKind): Promise<Client>;
}

/** A project whose rights on files are as in production. */
export async function createStorageProject(
  idType: 'text' | 'uuid' = 'text',
): Promise<StorageFixture> {
  const project = await createProject(idType);
  const clients: Client[] = [];
  return {
    ...project,
    async login(role) {
      const { host, port, database, logins } = project.options;
      const { password } = logins.owner;
      const client = new Client({ host, port, database, user: project.names[role], password });
      await client.connect();
      clients.push(client);
      return client;
    },
    async drop() {
      await Promise.all(clients.map((client) => client.end()));
      await project.drop();
    },
  };
}

export interface NewUpload {
  readonly id?: string;
  readonly bucket?: string;
  readonly key?: string;
  readonly size?: number;
  readonly kind?: string;
  readonly visibility?: string;
  readonly owner?: string | null;
  readonly upsert?: boolean;
  /** Id of the file that the uploader was allowed to change. */
  readonly replaces?: string | null;
  /** Whether the owner is a user of another issuer. */
  readonly isForeign?: boolean;
  /** SQL interval from now. */
  readonly expiresIn?: string;
}

export interface Reservation {
  readonly id: string;
  readonly outcome: string;
}

/** Reserves for an upload; what is not given is of no matter to the test. */
export async function reserve(client: Client, upload: NewUpload = {}): Promise<Reservation> {
  const { id = randomUUID(), bucket = 'docs', key = `${randomUUID()}.txt`, size = 10 } = upload;
  const { kind = 'stream', visibility = 'private', owner = null, upsert = false } = upload;
  const { rows } = await client.query<{ outcome: string }>(
    `select storage.reserve_upload($1, $2, $3, gen_random_uuid(), 'local', $4, $5, 'text/plain', $6, $7, $8,
       now() + $9::interval, replaces => $10, is_owner_foreign => $11) as outcome`,
    [
      id,
      bucket,
      key,
      kind,
      size,
      visibility,
      owner,
      upsert,
      upload.expiresIn ?? '1 hour',
      upload.replaces ?? null,
      upload.isForeign ?? false,
    ],
  );
  return { id, outcome: rows[0]?.outcome ?? '' };
}

export interface FileOutcome {
  readonly outcome: string;
  readonly id: string | null;
  readonly key: string | null;
  readonly version: string | null;
  readonly owner_id: string | null;
}

/** Makes a file of an upload. */
export async function commit(client: Client, id: string, size = 10): Promise<FileOutcome> {
  const { rows } = await client.query<FileOutcome>(
    'select outcome, (file).* from storage.commit_upload($1, $2)',
    [id, size],
  );
  return oneOf(rows);
}

/** Reserves and commits in one go. Throws when either is refused. */
export async function putFile(client: Client, upload: NewUpload = {}): Promise<FileOutcome> {
  const { id, outcome } = await reserve(client, upload);
  if (outcome !== 'reserved') throw new Error(`The reservation was answered with ${outcome}`);
  return commit(client, id, upload.size);
}

export function oneOf<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`${rows.length} rows instead of one`);
  return row;
}
