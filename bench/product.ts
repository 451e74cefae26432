// Runs the product as a user does, as one process on a data folder of its own, and speaks to it through
// its documented routes.

import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { resolve } from 'node:path';
import { freePort } from '#libs/postgres-server';
import { keepErrorOutput, stopProcess } from './child.js';
import { call, textField, type ControlReply } from './control.js';
import { childEnv } from './env.js';
import { askMemory, PROBE_ARGUMENTS, type MemoryReading } from './memory/ask.js';

const START_LIMIT_MS = 120_000;
// Longer than the product's own limit for draining.
const STOP_LIMIT_MS = 30_000;
const ROOT_DOMAIN = 'localhost';
// A project has at most three quarters of them: enough for the idle ones of a run of functions.
const FUNCTION_PROCESSES = 80;

export interface ProductOptions {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly connectionBudget: number;
  readonly apiPort: number;
  readonly consolePort: number;
  readonly operator: { readonly email: string; readonly password: string };
  /** Whether the process can be asked for its memory. */
  readonly isProbed: boolean;
  /** Projects that it keeps open at once; absent: its default. */
  readonly maxLiveProjects?: number;
  /** Refs of the projects made so far; it outlives a restart. */
  readonly created: Set<string>;
}

export interface Project {
  readonly ref: string;
  readonly host: string;
  readonly secretKey: string;
  readonly databaseName: string;
}

export interface CreatedProject extends Project {
  readonly createdInMs: number;
}

export interface Product {
  readonly pid: number;
  readonly apiPort: number;
  createProject(ref: string): Promise<CreatedProject>;
  deleteProject(ref: string): Promise<void>;
  /** Several statements in one transaction, as the owner of the project. */
  runSql(project: Project, sql: string): Promise<void>;
  /** Writes a group of settings as a whole. */
  saveSettings(project: Project, group: string, values: object): Promise<ControlReply>;
  /** Memory in use after a garbage collection; rejects unless the product was started probed. */
  readMemory(): Promise<MemoryReading>;
  stop(): Promise<void>;
}

/** Options with free ports and an operator of this run. */
export async function productOptions(
  given: Omit<ProductOptions, 'apiPort' | 'consolePort' | 'operator' | 'created'>,
): Promise<ProductOptions> {
  const [apiPort, consolePort] = await Promise.all([freePort(), freePort()]);
  const password = randomBytes(18).toString('base64url');
  return {
    ...given,
    apiPort,
    consolePort,
    operator: { email: 'bench@bench.invalid', password },
    created: new Set(),
  };
}

// The compiled start, not the command in front of it, which compiles sources that have changed: a run
// measures one build from its beginning to its end.
function spawnProduct(options: ProductOptions): ChildProcess {
  const probe = options.isProbed ? PROBE_ARGUMENTS : [];
  return spawn(process.execPath, [...probe, resolve('dist/bin/start.js')], {
    stdio: options.isProbed ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
    env: childEnv({
      NODE_ENV: 'production',
      DATABASE_URL: options.databaseUrl,
      DATA_DIR: options.dataDir,
      PORT: String(options.apiPort),
      CONSOLE_PORT: String(options.consolePort),
      ROOT_DOMAIN,
      OPERATOR_EMAIL: options.operator.email,
      OPERATOR_PASSWORD: options.operator.password,
      CONNECTION_BUDGET: String(options.connectionBudget),
      // Webhooks of a run go to this machine.
      OUTBOUND_ALLOWED_HOSTS: '127.0.0.1',
      LOG_LEVEL: 'warn',
      FUNCTION_PROCESSES: String(FUNCTION_PROCESSES),
      ...(options.maxLiveProjects === undefined
        ? {}
        : { MAX_LIVE_PROJECTS: String(options.maxLiveProjects) }),
    }),
  });
}

/** Waits for the line that says `ready`; everything later on stdout is read and dropped. */
async function untilReady(running: ChildProcess): Promise<void> {
  const errorOutput = keepErrorOutput(running);
  const output = running.stdout;
  if (output === null) throw new Error('The product was started without a stdout');
  await new Promise<void>((done, reject) => {
    const refuse = (why: string): void =>
      reject(new Error(`The product ${why}\n${errorOutput()}`.trim()));
    const limit = setTimeout(() => refuse('was not ready in time'), START_LIMIT_MS);
    running.once('exit', (code) => {
      clearTimeout(limit);
      refuse(`ended with code ${String(code)} before it was ready`);
    });
    createInterface({ input: output }).on('line', (line) => {
      if (!/\bready\b/.test(line)) return;
      clearTimeout(limit);
      done();
    });
  });
}

async function login(options: ProductOptions): Promise<string> {
  const reply = await call({
    port: options.consolePort,
    host: `localhost:${String(options.consolePort)}`,
    method: 'POST',
    path: '/platform/login',
    body: options.operator,
  });
  return textField(reply.body, 'token');
}

class RunningProduct implements Product {
  readonly pid: number;
  readonly apiPort: number;
  readonly #options: ProductOptions;
  readonly #process: ChildProcess;
  readonly #token: string;

  constructor(options: ProductOptions, running: ChildProcess, token: string) {
    this.#options = options;
    this.#process = running;
    this.#token = token;
    this.apiPort = options.apiPort;
    if (running.pid === undefined) throw new Error('The product could not be started');
    this.pid = running.pid;
  }

  async createProject(ref: string): Promise<CreatedProject> {
    const reply = await this.#platform('POST', '/platform/projects', { name: ref, ref });
    this.#options.created.add(ref);
    return {
      ref,
      host: `${ref}.${ROOT_DOMAIN}`,
      secretKey: textField(reply.body, 'secretKey'),
      databaseName: new URL(textField(reply.body, 'databaseUrl')).pathname.slice(1),
      createdInMs: reply.ms,
    };
  }

  async deleteProject(ref: string): Promise<void> {
    await this.#platform('DELETE', `/platform/projects/${ref}?now=true`, { ref });
    this.#options.created.delete(ref);
  }

  async runSql(project: Project, sql: string): Promise<void> {
    await call({
      port: this.apiPort,
      host: project.host,
      method: 'POST',
      path: '/api/admin/sql',
      headers: { apikey: project.secretKey },
      body: { query: sql },
    });
  }

  saveSettings(project: Project, group: string, values: object): Promise<ControlReply> {
    return call({
      port: this.apiPort,
      host: project.host,
      method: 'PUT',
      path: `/api/admin/settings/${group}`,
      headers: { apikey: project.secretKey },
      body: values,
    });
  }

  readMemory(): Promise<MemoryReading> {
    return askMemory(this.#process);
  }

  stop(): Promise<void> {
    return stopProcess(this.#process, STOP_LIMIT_MS);
  }

  #platform(method: 'POST' | 'DELETE', path: string, body: unknown) {
    return call({
      port: this.#options.consolePort,
      host: `localhost:${String(this.#options.consolePort)}`,
      method,
      path,
      headers: { authorization: `Bearer ${this.#token}` },
      body,
    });
  }
}

/** Starts the product and signs its operator in; the caller stops it. */
export async function startProduct(options: ProductOptions): Promise<Product> {
  const running = spawnProduct(options);
  try {
    await untilReady(running);
    return new RunningProduct(options, running, await login(options));
  } catch (error) {
    await stopProcess(running, STOP_LIMIT_MS);
    throw error;
  }
}
