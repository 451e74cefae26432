// A deployment as the last release left it: two projects with accounts, rows, files and keys, kept as an archive that
// its own code has made. Restoring it gives the ground on which this release opens.
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import pg from 'pg';

import { parseEnv } from '../../bin/env.js';
import { ensureClusterRoles } from '../../libs/control-plane/src/provisioning/cluster-roles.js';
import { databaseServer } from '../../libs/control-plane/src/provisioning/database-server.js';
import { testDatabaseUrl } from '../support/deployment.js';

/** What the archive's maker was told when it used the projects. */
export interface OldProject {
  readonly ref: string;
  readonly idType: 'text' | 'uuid';
  readonly publishableKey: string;
  readonly secretKey: string;
  readonly databaseUrl: string;
  readonly ada: { readonly id: string; readonly token: string };
  readonly bob: { readonly id: string; readonly token: string };
  readonly apiKey: string;
  /** Id of a private file of ada. */
  readonly file: string;
}

interface Archive {
  readonly masterKey: string;
  readonly facts: { readonly operatorToken: string; readonly projects: readonly OldProject[] };
  readonly roles: string;
  /** SQL by database name. */
  readonly databases: Readonly<Record<string, string>>;
  /** Content in base64 by path below the data folder. */
  readonly files: Readonly<Record<string, string>>;
}

export interface Restored {
  readonly ground: {
    readonly databaseName: string;
    readonly masterKey: Buffer;
    readonly dataDir: string;
  };
  readonly operatorToken: string;
  readonly projects: readonly OldProject[];
  /** Lets the next one restore the archive. */
  leave(): Promise<void>;
}

/** How long a test may wait until another one has left the archive, and for its own beginning; milliseconds. */
export const waitMs = 240_000;

const controlPlane = 'rowhouse';

/** Restores the archive beside what else is on the test server. Its projects have fixed names: one at a time. */
export async function restoreLastRelease(): Promise<Restored> {
  const turn = new pg.Client({ connectionString: testDatabaseUrl() });
  await turn.connect();
  await turn.query(`select pg_advisory_lock(hashtext('the archive of the last release'))`);
  const archive = await readArchive();
  const { operatorToken, projects } = archive.facts;
  await ensureClusterRoles(databaseServer(testDatabaseUrl()), 'postgres');
  const databaseName = `old_${randomBytes(5).toString('hex')}`;
  await onServer(async (client) => {
    for (const { ref } of projects) await dropOld(client, ref);
    await client.query(archive.roles);
  });
  for (const [name, sql] of Object.entries(archive.databases)) {
    const target = name === controlPlane ? databaseName : name;
    await onServer((client) => client.query(`create database ${target} template template0`));
    await onServer((client) => client.query(restored(sql)), target);
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'rowhouse-upgrade-'));
  for (const [path, content] of Object.entries(archive.files)) {
    const file = join(dataDir, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, Buffer.from(content, 'base64'));
  }
  const { masterKey } = parseEnv({ MASTER_KEY: archive.masterKey });
  if (!masterKey) throw new Error('the archive has no master key');
  const leave = () => turn.end();
  return { ground: { databaseName, masterKey, dataDir }, operatorToken, projects, leave };
}

async function readArchive(): Promise<Archive> {
  const bytes = await readFile(new URL('release-0.1.0.json.gz', import.meta.url));
  // The archive was written in this form.
  return JSON.parse(gunzipSync(bytes).toString()) as Archive;
}

/** The archive's superuser may have another name here, and its sessions have ended meanwhile. */
function restored(sql: string): string {
  const owner = new URL(testDatabaseUrl()).username;
  return `${sql.replaceAll(/\bpostgres;/g, `"${owner}";`)}
    do $$ begin
      if to_regclass('auth.session') is not null then
        update auth.session set "expiresAt" = now() + interval '1 day';
      end if;
      if to_regclass('public.operator_session') is not null then
        update public.operator_session set expires_at = now() + interval '1 day', last_seen_at = now();
      end if;
    end $$;`;
}

async function dropOld(client: pg.Client, ref: string): Promise<void> {
  await client.query(`drop database if exists p_${ref} with (force)`);
  await client.query(`drop role if exists ${ref}_owner, ${ref}_api, ${ref}_engine`);
}

async function onServer(
  work: (client: pg.Client) => Promise<unknown>,
  database?: string,
): Promise<void> {
  const url = new URL(testDatabaseUrl());
  if (database !== undefined) url.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
