// @supabase/lite on the same database, under the same policies with the role of a signed token. It speaks
// the grammar of PostgREST, so it gets the product's own requests. It looks no session up.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '#libs/postgres-server';
import type { BenchCase, HttpCall } from '../case.js';
import type { ServerChild } from '../child.js';
import { callAny } from '../control.js';
import { variablesOf } from '../database/connection.js';
import { startCommand } from './command.js';
import type { PeerPlace } from './place.js';

/** Every read of the product. */
export function supabaseLiteCall(measured: BenchCase, key: number): HttpCall | undefined {
  return measured.isRead ? measured.productCall(key) : undefined;
}

function configuration(place: PeerPlace, port: number): string {
  return `
project_id = "bench"
[api]
enabled = true
port = ${String(port)}
schemas = ["public"]
[db]
driver = "postgres"
[auth]
enabled = false
jwt_secret = ${JSON.stringify(place.jwtSecret)}
[storage]
enabled = false
[studio]
enabled = false
`;
}

export async function startSupabaseLite(place: PeerPlace): Promise<ServerChild> {
  const port = await freePort();
  const folder = join(place.folder, 'supabase');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'config.toml'), configuration(place, port), { mode: 0o600 });
  const server = await startCommand({
    cwd: place.folder,
    port,
    args: [
      join(place.folder, 'node_modules/@supabase/lite/dist/cli/index.js'),
      'start',
      '--no-admin',
    ],
    env: { ...variablesOf(place.databaseUrl), DO_NOT_TRACK: '1', LITE_TELEMETRY: '0' },
  });
  try {
    // At its first request the peer grants all tables of each schema that has policies to the roles of the
    // API. The database refuses that for the product's own schemas, which ends the request, and the peer
    // does not try again.
    await callAny({ port, host: 'localhost', method: 'GET', path: '/rest/v1/posts?limit=1' });
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}
