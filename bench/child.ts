// Starts the processes that bench/ owns: floor servers, the peer, the load process.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { childEnv } from './env.js';

const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 5_000;
const KEPT_OUTPUT = 4_000;

export interface Child {
  readonly process: ChildProcess;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface ServerChild extends Child {
  readonly port: number;
}

/** Ends a process: asks first, kills when it has not gone after a while. */
export async function stopProcess(running: ChildProcess, limitMs = STOP_LIMIT_MS): Promise<void> {
  if (running.exitCode !== null || running.signalCode !== null) return;
  const gone = once(running, 'exit');
  running.kill('SIGTERM');
  const killer = setTimeout(() => running.kill('SIGKILL'), limitMs);
  await gone;
  clearTimeout(killer);
}

/** The last characters that a process wrote on stderr, for the error that says why it ended. */
export function keepErrorOutput(running: ChildProcess): () => string {
  let kept = '';
  running.stderr?.on('data', (chunk: Buffer) => {
    kept = (kept + chunk.toString()).slice(-KEPT_OUTPUT);
  });
  return () => kept.trim();
}

export function startChild(module: string, args: readonly string[] = []): Child {
  const running = fork(new URL(module, import.meta.url), args, {
    env: childEnv({ NODE_ENV: 'production' }),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  if (running.pid === undefined) throw new Error(`${module} could not be started`);
  return { process: running, pid: running.pid, stop: () => stopProcess(running) };
}

/** Sends a child a message and gives its next one; rejects when the child ends before. */
export async function askChild(child: Child, message: object): Promise<unknown> {
  const waiting = new AbortController();
  const ended = once(child.process, 'exit', { signal: waiting.signal }).then(() => {
    throw new Error('The process ended before it answered');
  });
  const answered = once(child.process, 'message', { signal: waiting.signal });
  child.process.send(message);
  try {
    const [answer]: unknown[] = await Promise.race([answered, ended]);
    return answer;
  } finally {
    waiting.abort();
    await Promise.allSettled([answered, ended]);
  }
}

function portIn(message: unknown): number | undefined {
  if (typeof message !== 'object' || message === null || !('port' in message)) return undefined;
  return typeof message.port === 'number' ? message.port : undefined;
}

/** Starts a server that sends `{ port }` to its parent once it listens. */
export async function startServer(
  module: string,
  args: readonly string[] = [],
): Promise<ServerChild> {
  const child = startChild(module, args);
  const port = await new Promise<number>((resolve, reject) => {
    const refuse = (why: string): void => reject(new Error(`${module} ${why}`));
    const limit = setTimeout(() => refuse('did not listen in time'), START_LIMIT_MS);
    child.process.once('exit', (code) => refuse(`ended with code ${String(code)}`));
    child.process.on('message', (message: unknown) => {
      const announced = portIn(message);
      if (announced === undefined) return;
      clearTimeout(limit);
      resolve(announced);
    });
  });
  return { ...child, port };
}
