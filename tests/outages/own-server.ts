// A PostgreSQL server that a test stops, kills and starts again, always on the same port.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findEmbeddedPostgres, openEmbeddedPostgres } from '#libs/postgres-server';

type Embedded = Awaited<ReturnType<typeof openEmbeddedPostgres>>;

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** Nothing here outlives the test. */
const settings = { fsync: 'off', synchronous_commit: 'off' };

export class OwnServer {
  private isSupervised = true;

  private constructor(
    private readonly folder: string,
    private server: Embedded,
    /** Connection string of the superuser. */
    readonly url: string,
  ) {}

  static async start(): Promise<OwnServer> {
    const folder = await mkdtemp(join(tmpdir(), 'rowhouse-outage-'));
    await chmod(folder, 0o711);
    const server = await openEmbeddedPostgres({ dataDir: folder, log, settings });
    return new OwnServer(folder, server, server.url);
  }

  async stop(): Promise<void> {
    this.isSupervised = false;
    await this.server.stop('fast');
  }

  /** Does nothing after it was started again: a second supervisor would outlive the test. */
  async startAgain(): Promise<void> {
    if (this.isSupervised) return;
    this.isSupervised = true;
    this.server = await openEmbeddedPostgres({ dataDir: this.folder, log, settings });
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
