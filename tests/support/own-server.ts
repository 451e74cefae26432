// A PostgreSQL server for one test file, for attacks that all projects of a server notice.
import { type EmbeddedPostgres, openEmbeddedPostgres } from '#libs/postgres-server';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface OwnServer extends AsyncDisposable {
  /** Connection string of the superuser. */
  readonly url: string;
  readonly endBackend: EmbeddedPostgres['endBackend'];
}

export interface OwnServerOptions {
  /** Who may connect (pg_hba.conf), instead of the rules of the embedded server. */
  readonly rules?: string;
  /** Further settings (postgresql.conf). */
  readonly settings?: Readonly<Record<string, string>>;
}

export async function openOwnServer({
  rules,
  settings = {},
}: OwnServerOptions = {}): Promise<OwnServer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'rowhouse-own-server-'));
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const log = { info: () => undefined, warn: say, error: say };
  const server = await openEmbeddedPostgres({
    dataDir,
    ephemeral: true,
    log,
    settings: {
      ...settings,
      ...(rules !== undefined && { hba_file: await writeRules(dataDir, rules) }),
    },
  });
  return {
    url: server.url,
    endBackend: (pid) => server.endBackend(pid),
    async [Symbol.asyncDispose]() {
      await server.stop('immediate');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function writeRules(folder: string, rules: string): Promise<string> {
  const file = path.join(folder, 'rules.conf');
  await writeFile(file, rules);
  // PostgreSQL may run as another user.
  await chmod(file, 0o644);
  return file;
}
