// A project whose API is served by a child process, which a test kills and starts again. Console and PostgreSQL stay.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { freePort } from '#libs/testing';

import { type Deployment, testDatabaseUrl } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

/** What a child process is told. */
export interface ServedGround {
  readonly env: Readonly<Record<string, string>>;
  readonly databaseUrl: string;
  /** In hexadecimal. */
  readonly masterKey: string;
  readonly databaseName: string;
}

/** Processes that have loaded the program and wait for their turn: loading takes longer than serving. */
const waiting = 2;
const readyWithinMs = 120_000;
const hooks = new URL('../support/typescript-hooks.js', import.meta.url).href;
const program = fileURLToPath(new URL('./api-process.ts', import.meta.url));

export class ServedProject {
  private readonly spares: ChildProcess[] = [];
  private serving: ChildProcess | undefined;
  private spawned = 0;

  private constructor(
    readonly project: ProjectUnderTest,
    private readonly ground: ServedGround,
    /** How often it will be started. */
    private readonly starts: number,
  ) {
    this.fillSpares();
  }

  /** Begins to load what will be started so many times; `start` serves. */
  static async open(
    deployment: Deployment,
    project: ProjectUnderTest,
    options: { readonly env: Readonly<Record<string, string>>; readonly starts: number },
  ): Promise<ServedProject> {
    const { env, starts } = options;
    const { databaseName, masterKey, dataDir: DATA_DIR } = deployment.ground;
    const PORT = String(await freePort());
    const ground = {
      env: { PORT, DATA_DIR, ROLES: 'api', DEFAULT_PROJECT: 'none', LOG_LEVEL: 'warn', ...env },
      databaseUrl: testDatabaseUrl(),
      masterKey: masterKey.toString('hex'),
      databaseName,
    };
    const through = project.through(`http://127.0.0.1:${PORT}`);
    return new ServedProject(through, ground, starts);
  }

  /** Resolves when the API answers. */
  async start(): Promise<void> {
    const child = this.spares.shift() ?? this.spawn();
    this.serving = child;
    const impatience = new AbortController();
    const timer = setTimeout(() => impatience.abort(), readyWithinMs);
    child.send(this.ground);
    const ended = once(child, 'exit', impatience).then(() => {
      throw new Error('The API ended before it was ready; the reason is above');
    });
    try {
      await Promise.race([once(child, 'message', impatience), ended]);
    } finally {
      clearTimeout(timer);
      impatience.abort();
      await ended.catch(() => undefined);
    }
    this.fillSpares();
  }

  /** Ends the API in the middle of whatever it does. */
  async kill(): Promise<void> {
    const child = this.serving;
    this.serving = undefined;
    if (child) await end(child);
  }

  async close(): Promise<void> {
    await this.kill();
    await Promise.all(this.spares.splice(0).map(end));
  }

  private fillSpares(): void {
    while (this.spawned < this.starts && this.spares.length < waiting) {
      this.spares.push(this.spawn());
    }
  }

  private spawn(): ChildProcess {
    this.spawned += 1;
    return fork(program, [], {
      execArgv: ['--import', hooks, '--disable-warning=ExperimentalWarning'],
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
