// A PostgreSQL server that a test stops, kills and starts again, always on the same port.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findEmbeddedPostgres, openEmbeddedPostgres } from '#libs/postgres-server';

type Embedded = Awaited<ReturnType<typeof openEmbeddedPostgres>>;

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** Nothing here outlives the test. A kill loses the last transactions, unless `synchronous_commit` is on. */
const fastSettings = { fsync: 'off', synchronous_commit: 'off' };

export class OwnServer {
  private isSupervised = true;

  private constructor(
    private readonly folder: string,
    private server: Embedded,
    /** Connection string of the superuser. */
    readonly url: string,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  static async start(changes: Readonly<Record<string, string>> = {}): Promise<OwnServer> {
    const folder = await mkdtemp(join(tmpdir(), 'rowhouse-outage-'));
    await chmod(folder, 0o711);
    const settings = { ...fastSettings, ...changes };
    const server = await openEmbeddedPostgres({ dataDir: folder, log, settings });
    return new OwnServer(folder, server, server.url, settings);
  }

  async stop(): Promise<void> {
    this.isSupervised = false;
    await this.server.stop('fast');
  }

  /** Does nothing after it was started again: a second supervisor would outlive the test. */
  async startAgain(): Promise<void> {
    if (this.isSupervised) return;
    this.isSupervised = true;
    const { folder: dataDir, settings } = this;
    this.server = await openEmbeddedPostgres({ dataDir, log, settings });
    if (this.server.url !== this.url) throw new Error('the server came back at another port');
  }

  /** Whether the server runs and accepts connections. */
  async isRunning(): Promise<boolean> {
    return (await findEmbeddedPostgres(this.folder)).kind === 'running';
  }

  /** Stops the server for ever. */
  async remove(): Promise<void> {
    await this.server.stop('immediate');
    await rm(this.folder, { recursive: true, force: true });
  }
}
