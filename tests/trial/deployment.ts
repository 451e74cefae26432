// The deployment of a trial: the product as its README starts it, with the embedded PostgreSQL, in a folder of its own.
import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { timeUntil } from '#libs/testing';
import {
  askEmbedded,
  embeddedUrl,
  freePorts,
  makeFolder,
  postmasterPid,
  type RowhouseProcess,
  startRowhouse,
} from '../start/rowhouse-process.js';
import { asRecord } from '../support/deployment.js';
import { type Call, type Reply, send } from '../support/http.js';
import { ProjectUnderTest } from '../support/project.js';
import { ServerLog } from './server-log.js';

type Env = Readonly<Record<string, string>>;

/** Who may do everything. */
export const operator = { email: 'operator@rowhouse.test', password: 'a long enough password' };
const stopMs = 60_000;
const databaseMs = 60_000;

/** How a command has ended. */
export interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

export class TrialDeployment {
  readonly log = new ServerLog();
  #running: RowhouseProcess | undefined;
  #startedAt = 0;
  #operatorToken = '';
  #isRemoved = false;

  private constructor(
    private readonly folder: string,
    private readonly env: Env,
  ) {}

  /** Starts a deployment without projects. The caller removes it. */
  static async open(added: Env = {}): Promise<TrialDeployment> {
    const folder = await makeFolder();
    const deployment = new TrialDeployment(folder, {
      ...(await freePorts()),
      DATA_DIR: join(folder, 'data'),
      OPERATOR_EMAIL: operator.email,
      OPERATOR_PASSWORD: operator.password,
      DEFAULT_PROJECT: 'none',
      LOG_LEVEL: 'error',
      ...added,
    });
    try {
      await deployment.start();
      const path = '/platform/login';
      const login = await deployment.console({ method: 'POST', path, body: operator });
      deployment.#operatorToken = String(asRecord(login.body)['token']);
      return deployment;
    } catch (error) {
      await deployment.remove();
      throw error;
    }
  }

  get apiOrigin(): string {
    return `http://127.0.0.1:${this.env['PORT']}`;
  }

  get consoleOrigin(): string {
    return `http://127.0.0.1:${this.env['CONSOLE_PORT']}`;
  }

  get dataDir(): string {
    return String(this.env['DATA_DIR']);
  }

  /** The server of this moment. Throws when none was started. */
  get server(): RowhouseProcess {
    if (this.#running === undefined) throw new Error('the server was not started');
    return this.#running;
  }

  get pid(): number {
    return this.server.child.pid ?? 0;
  }

  get isRunning(): boolean {
    const child = this.#running?.child;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  /** Starts the server and waits until it is ready. `added` is for this start alone. */
  async start(added: Env = {}): Promise<void> {
    // A case goes on for a moment when a signal ends the run.
    if (this.#isRemoved) throw new Error('the deployment was removed');
    const running = startRowhouse({ ...this.env, DRAIN_SECONDS: '15', ...added });
    this.#running = running;
    this.#startedAt = performance.now();
    this.log.add(running);
    await running.ready();
  }

  /** How long the server of this moment has been running; milliseconds. */
  get uptimeMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** Runs `rowhouse` with arguments in the environment of the server. `added` is for this command alone. */
  command(args: readonly string[], added: Env = {}): Promise<Ended> {
    const env = { PATH: process.env['PATH'], ...this.env, ...added };
    return new Promise((resolve) => {
      execFile(process.execPath, ['bin/rowhouse.js', ...args], { env }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr }),
      );
    });
  }

  /** Ends the server in the middle of whatever it does; the database goes on. */
  async kill(): Promise<void> {
    this.server.child.kill('SIGKILL');
    await this.server.ended();
  }

  /** Ends the server in order. Returns its exit code, or the name of the signal. */
  async stop(): Promise<number | string | null> {
    this.server.child.kill('SIGTERM');
    const killer = setTimeout(() => this.server.child.kill('SIGKILL'), stopMs);
    try {
      return await this.server.ended();
    } finally {
      clearTimeout(killer);
    }
  }

  async restart(added: Env = {}): Promise<void> {
    if (this.isRunning) await this.stop();
    await this.start(added);
  }

  /** Ends PostgreSQL as a crash does; the server starts it again. Returns false when it is away already. */
  async killDatabase(): Promise<boolean> {
    return this.#signalDatabase('SIGKILL');
  }

  /** Ends PostgreSQL in order, with all its sessions; the server starts it again. Returns false when it is away already. */
  async stopDatabase(): Promise<boolean> {
    return this.#signalDatabase('SIGINT');
  }

  async #signalDatabase(signal: 'SIGKILL' | 'SIGINT'): Promise<boolean> {
    const pid = await this.#postmaster();
    if (pid !== undefined) process.kill(pid, signal);
    return pid !== undefined;
  }

  /** The folder with the settings of PostgreSQL. */
  get databaseFolder(): string {
    return join(this.dataDir, 'postgres', 'data');
  }

  /** Rows of a statement that the superuser of the database server runs. */
  ask(sql: string, database = 'rowhouse'): Promise<Record<string, unknown>[]> {
    return askEmbedded(this.dataDir, sql, database).then((rows) => rows.map(asRecord));
  }

  /** The connection string with which its superuser reaches the control plane. */
  controlPlaneUrl(): Promise<string> {
    return embeddedUrl(this.dataDir, 'rowhouse');
  }

  /** A request to the console as the operator. */
  console(call: Call): Promise<Reply> {
    const headers = { authorization: `Bearer ${this.#operatorToken}`, ...call.headers };
    return send(this.consoleOrigin, { ...call, headers });
  }

  /** Creates a project. Throws when it is refused. */
  async createProject(ref: string): Promise<ProjectUnderTest> {
    const reply = await this.requestProject(ref);
    if (reply.status !== 201) throw new Error(`no project: ${reply.status} ${reply.text}`);
    return this.projectIn(ref, reply);
  }

  requestProject(ref: string): Promise<Reply> {
    const path = '/platform/projects';
    return this.console({ method: 'POST', path, body: { name: ref, ref } });
  }

  requestDeletion(ref: string): Promise<Reply> {
    const path = `/platform/projects/${ref}?now=true`;
    return this.console({ method: 'DELETE', path, body: { ref } });
  }

  /** The project that an answer to its creation describes. */
  projectIn(ref: string, { body }: Reply): ProjectUnderTest {
    const { publishableKey, secretKey, databaseUrl } = asRecord(body);
    return new ProjectUnderTest({
      ref,
      apiOrigin: this.apiOrigin,
      publishableKey: String(publishableKey),
      secretKey: String(secretKey),
      databaseUrl: String(databaseUrl),
    });
  }

  /** Resident memory of the server in megabytes. Throws when there is no process, or one that has just ended. */
  async rssMb(): Promise<number> {
    const status = await readFile(`/proc/${this.pid}/status`, 'utf8');
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
    if (kilobytes === undefined) throw new Error('a process that has ended has no memory');
    return Math.round(Number(kilobytes) / 1024);
  }

  /** Whether both applications say that they are ready. */
  async isReady(): Promise<boolean> {
    const origins = [this.apiOrigin, this.consoleOrigin];
    const replies = await Promise.all(origins.map((origin) => send(origin, { path: '/readyz' })));
    return replies.every(({ status }) => status === 200);
  }

  /** Starts what is not running, and waits until everything is ready. */
  async ensureReady(): Promise<void> {
    if (!this.isRunning) await this.start();
    await timeUntil(() => this.isReady(), { ms: databaseMs, until: 'the deployment is ready' });
  }

  /** Stops everything and removes the data. */
  async remove(): Promise<void> {
    this.#isRemoved = true;
    if (this.isRunning) await this.stop();
    const pid = await this.#postmaster();
    if (pid !== undefined) {
      process.kill(pid, 'SIGQUIT');
      const isGone = async () => (await this.#postmaster()) === undefined;
      await timeUntil(isGone, { ms: databaseMs, until: 'PostgreSQL has stopped' });
    }
    // Processes of PostgreSQL that lost their parent may still be writing.
    await delay(200);
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  /** The pid of a PostgreSQL that runs on our data; a file that a crash has left may name a foreign process. */
  async #postmaster(): Promise<number | undefined> {
    const pid = await postmasterPid(this.dataDir);
    if (pid === undefined) return undefined;
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return command.includes(this.folder) ? pid : undefined;
  }
}
