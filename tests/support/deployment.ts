// A whole deployment in the test's process, on a control-plane database of its own: console, API and as many
// projects as a test wants. The files of a worker share a few of them; a test about the deployment itself opens its
// own. A second one opened beside it is another process of the same deployment.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Logger, pino } from 'pino';

import { freePort } from '../../libs/testing/src/free-port.js';
import type { ClientFiles, ConsoleFiles, ReaderLimits } from '#libs/web';
import type { Pace } from '#libs/realtime';

import { composeApplications, type Applications } from '../../bin/compose.js';
import { parseEnv } from '../../bin/env.js';
import { describeEnv } from '../../bin/env-variables.js';
import { type Call, type Reply, send } from './http.js';
import { ProjectUnderTest } from './project.js';
import { bearer } from './replies.js';
import { asSuperuser, testDatabaseUrl } from './test-server.js';

// Tests of deployments find the server here; those without one import it from its file.
export { asSuperuser, asSuperuserOf, testDatabaseUrl } from './test-server.js';

export const operatorPassword = 'a long enough password';
export const operatorEmail = 'first@rowhouse.test';

export interface DeploymentOptions {
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Data that are there already; absent: a deployment without any. */
  readonly ground?: Ground;
  /** Where the applications find PostgreSQL; the test server by default. */
  readonly databaseUrl?: string;
  /** The client for apps that the applications hand out; none by default. */
  readonly client?: ClientFiles | undefined;
  /** The pages of the console; none by default. */
  readonly pages?: ConsoleFiles | undefined;
  /** When clients that do not read are closed. */
  readonly readerLimits?: Partial<ReaderLimits>;
  /** How often changes of tables are read. */
  readonly changePace?: Pace;
  /** The folder with the migrations of another release. */
  readonly migrationsRoot?: string;
  /** Where the deployment logs; nowhere by default. */
  readonly log?: Logger;
}

/** The environments of shared deployments. */
const presets = {
  plain: {},
  /** Hooks, mail servers and identity providers of the test can be reached. */
  outbound: { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' },
  /** Functions may be public, and triggers may call the test. */
  functions: { EDGE_PUBLIC_INVOKE_ENABLED: 'true', OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' },
} as const;

/** They stay open until the worker ends: each next file of the worker finds them running. */
const sharedDeployments = new Map<keyof typeof presets, Promise<Deployment>>();

interface Ground {
  readonly databaseName: string;
  readonly masterKey: Buffer;
  readonly dataDir: string;
}

export class Deployment {
  readonly #projects: ProjectUnderTest[] = [];

  private constructor(
    readonly ground: Ground,
    readonly apiOrigin: string,
    readonly consoleOrigin: string,
    /** Token of the first operator, who may do everything. */
    readonly operatorToken: string,
    /** Absent for a guest of a shared deployment, who closes nothing but the own projects. */
    private readonly applications: Applications | undefined,
  ) {}

  /**
   * The deployment of this worker with that environment. `close` deletes the projects that were made through the
   * returned deployment. For tests of projects: whatever a test changes outside of its projects meets other tests.
   */
  static async shared(preset: keyof typeof presets = 'plain'): Promise<Deployment> {
    const opened = sharedDeployments.get(preset) ?? Deployment.open({ env: presets[preset] });
    sharedDeployments.set(preset, opened);
    const { ground, apiOrigin, consoleOrigin } = await opened;
    return new Deployment(ground, apiOrigin, consoleOrigin, await signIn(consoleOrigin), undefined);
  }

  /** Opens a deployment of its own; `beside` opens another process of an existing one. */
  static async open(options: DeploymentOptions = {}, beside?: Deployment): Promise<Deployment> {
    const ground = beside?.ground ?? options.ground ?? (await newGround());
    const [port, consolePort] = [await freePort(), await freePort()];
    const source = {
      PORT: String(port),
      CONSOLE_PORT: String(consolePort),
      DATA_DIR: ground.dataDir,
      DEFAULT_PROJECT: 'none',
      OPERATOR_EMAIL: operatorEmail,
      OPERATOR_PASSWORD: operatorPassword,
      DRAIN_SECONDS: '5',
      LOG_LEVEL: 'silent',
      ...options.env,
    };
    const env = parseEnv(source);
    const applications = await composeApplications(env, {
      databaseUrl: options.databaseUrl ?? testDatabaseUrl(),
      masterKey: ground.masterKey,
      controlPlaneDatabase: ground.databaseName,
      log: options.log ?? pino({ level: 'silent' }),
      client: options.client,
      pages: options.pages,
      version: 'test',
      variables: describeEnv(source),
      ...(options.migrationsRoot !== undefined && { migrationsRoot: options.migrationsRoot }),
      ...(options.changePace && { changePace: options.changePace }),
      ...(options.readerLimits && { readerLimits: options.readerLimits }),
    });
    const apiOrigin = `http://127.0.0.1:${source.PORT}`;
    const consoleOrigin = `http://127.0.0.1:${source.CONSOLE_PORT}`;
    const token = await signIn(consoleOrigin);
    return new Deployment(ground, apiOrigin, consoleOrigin, token, applications);
  }

  /** A request to the console, as the first operator unless other headers are given. */
  console(call: Call): Promise<Reply> {
    const headers = { ...bearer(this.operatorToken), ...call.headers };
    return send(this.consoleOrigin, { ...call, headers });
  }

  /** Makes a project through the console. It is deleted when the deployment closes. */
  async createProject(
    input: { readonly idType?: 'text' | 'uuid' } = {},
  ): Promise<ProjectUnderTest> {
    const ref = `t${randomBytes(6).toString('hex')}`;
    const reply = await this.console({
      method: 'POST',
      path: '/platform/projects',
      body: { name: `Test ${ref}`, ref, ...input },
    });
    if (reply.status !== 201)
      throw new Error(`creating a project failed: ${reply.status} ${reply.text}`);
    const created = asRecord(reply.body);
    const project = new ProjectUnderTest({
      ref,
      apiOrigin: this.apiOrigin,
      publishableKey: String(created['publishableKey']),
      secretKey: String(created['secretKey']),
      databaseUrl: String(created['databaseUrl']),
    });
    this.#projects.push(project);
    return project;
  }

  /** Deletes the projects and, unless it is shared, closes the deployment. */
  async close(): Promise<void> {
    const remove = ({ ref }: ProjectUnderTest): Promise<Reply> =>
      this.console({ method: 'DELETE', path: `/platform/projects/${ref}?now=true`, body: { ref } });
    // A few at a time: each waits for a checkpoint of the server, which they share.
    while (this.#projects.length > 0) await Promise.all(this.#projects.splice(0, 8).map(remove));
    if (this.applications === undefined) return;
    await this.stop();
    await asSuperuser(`drop database if exists ${this.ground.databaseName} with (force)`);
    await rm(this.ground.dataDir, { recursive: true, force: true });
  }

  /** Stops this process only; the deployment stays. */
  async stop(): Promise<void> {
    if (this.applications === undefined) throw new Error('a shared deployment cannot be closed');
    await this.applications.close();
  }
}

/** The value as an object with unknown fields. Throws when it is none. */
export function asRecord(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null)
    throw new Error(`not an object: ${String(value)}`);
  return { ...value };
}

async function signIn(consoleOrigin: string): Promise<string> {
  const login = await send(consoleOrigin, {
    method: 'POST',
    path: '/platform/login',
    body: { email: operatorEmail, password: operatorPassword },
  });
  const { token } = asRecord(login.body);
  if (typeof token !== 'string') throw new Error(`the sign-in failed: ${login.text}`);
  return token;
}

/** What is left of it when the run ends, global-setup.js removes. */
async function newGround(): Promise<Ground> {
  const { TEST_RUN: run = 'alone', TEST_FOLDER: folder = tmpdir() } = process.env;
  return {
    databaseName: `deployment_${run}_${randomBytes(6).toString('hex')}`,
    masterKey: randomBytes(32),
    dataDir: await mkdtemp(join(folder, 'rowhouse-deployment-')),
  };
}
