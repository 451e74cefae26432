// Types the commands of a page as its reader does: the server runs in a first terminal, all else in a second one.
// Other ports stand in for those of the page, which another server or another page may use.
import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { waitFor } from '#libs/testing';
import type { Step } from './documented-steps.js';
import { freePorts, makeFolder } from './rowhouse-process.js';

const stepMs = 60_000;
/** The first start of all compiles the sources. */
const readyMs = 240_000;
const endMs = 30_000;
const endOfStep = 'the step has ended';

/** Whether the machine has the tools that a page of shell commands needs. */
export const hasShellTools = ['sh', 'curl'].every(
  (tool) => spawnSync(tool, ['--version']).error === undefined,
);

type Ports = Readonly<Record<'PORT' | 'CONSOLE_PORT', string>>;

export class TwoTerminals {
  readonly #env: NodeJS.ProcessEnv;
  readonly #second: ChildProcessWithoutNullStreams;
  #server: ChildProcessWithoutNullStreams | undefined;
  /** No process of the first terminal runs any more. */
  #hasServerEnded = false;

  private constructor(
    private readonly folder: string,
    private readonly ports: Ports,
  ) {
    const { PATH } = process.env;
    this.#env = {
      PATH,
      HOME: folder,
      TMPDIR: folder,
      DATA_DIR: this.dataDir,
      DRAIN_SECONDS: '2',
      ...ports,
    };
    this.#second = spawn('sh', [], { env: this.#env });
  }

  /** Opens two terminals with a data folder that does not exist yet. */
  static async open(): Promise<TwoTerminals> {
    const folder = await makeFolder();
    return new TwoTerminals(folder, await freePorts());
  }

  get dataDir(): string {
    return join(this.folder, 'data');
  }

  /** Returns the step with the ports of this run. */
  here(step: Step): Step {
    const { PORT, CONSOLE_PORT } = this.ports;
    const moved: unknown = JSON.parse(
      JSON.stringify(step)
        .replaceAll(/\b8000\b/g, PORT)
        .replaceAll(/\b8001\b/g, CONSOLE_PORT),
    );
    return moved as Step; // The same step with two texts replaced.
  }

  /** Starts the server in the first terminal; returns its output until it is ready or has ended. */
  async start(command: string): Promise<string> {
    const server = spawn('sh', ['-c', command], { env: this.#env, detached: true });
    this.#server = server;
    server.once('close', () => (this.#hasServerEnded = true));
    const output = collect(server);
    await waitFor(() => output().includes('\nready ') || this.#hasServerEnded, { ms: readyMs });
    return output();
  }

  /** Types a command into the second terminal; returns its output, errors included. */
  async type(command: string): Promise<string> {
    const output = collect(this.#second);
    this.#second.stdin.write(`${command}\nprintf '\\n%s\\n' '${endOfStep}'\n`);
    await waitFor(() => output().includes(endOfStep) || this.#second.exitCode !== null, {
      ms: stepMs,
    });
    return output().replace(endOfStep, '');
  }

  /** Presses Ctrl-C in the first terminal, which signals every process of it; resolves when all have ended. */
  async interrupt(): Promise<void> {
    if (this.#server?.pid === undefined) throw new Error('the server was not started');
    process.kill(-this.#server.pid, 'SIGINT');
    await waitFor(() => this.#hasServerEnded, { ms: endMs });
  }

  async close(): Promise<void> {
    this.#second.kill('SIGKILL');
    if (this.#server?.pid !== undefined && !this.#hasServerEnded) {
      process.kill(-this.#server.pid, 'SIGKILL');
      await once(this.#server, 'close');
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Returns what the process prints from now on, errors included. */
function collect(child: ChildProcessWithoutNullStreams): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.removeAllListeners('data');
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  }
  return () => text;
}
