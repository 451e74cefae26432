// Starts a peer by its own command line, as its users do, and waits until its port answers.

import { spawn, type ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { keepErrorOutput, stopProcess, type ServerChild } from '../child.js';
import { childEnv } from '../env.js';

const START_LIMIT_MS = 30_000;
const POLL_MS = 100;

export interface PeerCommand {
  /** The file that Node.js runs, with its arguments. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly port: number;
  readonly env?: Readonly<Record<string, string>>;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}

async function untilListening(running: ChildProcess, port: number): Promise<void> {
  const errorOutput = keepErrorOutput(running);
  const endsAt = performance.now() + START_LIMIT_MS;
  while (!(await isListening(port))) {
    if (running.exitCode !== null || running.signalCode !== null) {
      throw new Error(`it ended before it listened\n${errorOutput()}`.trim());
    }
    if (performance.now() > endsAt) throw new Error('it did not listen in time');
    await delay(POLL_MS);
  }
}

export async function startCommand(command: PeerCommand): Promise<ServerChild> {
  const running = spawn(process.execPath, [...command.args], {
    cwd: command.cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: childEnv({ NODE_ENV: 'production', ...command.env }),
  });
  const { pid } = running;
  if (pid === undefined) throw new Error('it could not be started');
  const stop = (): Promise<void> => stopProcess(running);
  try {
    await untilListening(running, command.port);
    return { process: running, pid, port: command.port, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
