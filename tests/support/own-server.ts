// A PostgreSQL server for one test file, for attacks that all projects of a server notice.
import { type EmbeddedPostgres, openEmbeddedPostgres } from '#libs/postgres-server';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface OwnServer extends AsyncDisposable {
  /** Connection string of the superuser. */
  readonly url: string;
  readonly endBackend: EmbeddedPostgres['endBackend'];
}

export async function openOwnServer(): Promise<OwnServer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'rowhouse-own-server-'));
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const log = { info: () => undefined, warn: say, error: say };
  const server = await openEmbeddedPostgres({ dataDir, ephemeral: true, log });
  return {
    url: server.url,
    endBackend: (pid) => server.endBackend(pid),
    async [Symbol.asyncDispose]() {
      await server.stop('immediate');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
