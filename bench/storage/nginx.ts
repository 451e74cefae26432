// nginx as its documentation sets it up for files, on a port of its own: what a download can be held against.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '#libs/postgres-server';
import { keepErrorOutput, stopProcess } from '../child.js';
import { childEnv } from '../env.js';

const START_LIMIT_MS = 10_000;
const ASK_AGAIN_MS = 20;

/** One worker, as the product has one process. `user`: who the worker is, where nginx may choose. */
export function nginxConfig(folder: string, port: number, user?: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${folder}/temporary;`,
  );
  return [
    ...(user === undefined ? [] : [`user ${user};`]),
    'daemon off;',
    'worker_processes 1;',
    `pid ${folder}/nginx.pid;`,
    'events {}',
    'http {',
    '  access_log off;',
    '  sendfile on;',
    '  tcp_nopush on;',
    ...temporary,
    `  server { listen 127.0.0.1:${String(port)}; root ${folder}/files; }`,
    '}',
    '',
  ].join('\n');
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    // Not yet.
    return false;
  } finally {
    socket.destroy();
  }
}

export interface Nginx {
  readonly port: number;
  stop(): Promise<void>;
}

/** Serves a copy of the file under its name. `folder` is empty and nginx's own. */
export async function startNginx(
  program: string,
  { folder, file, name }: { readonly folder: string; readonly file: string; readonly name: string },
): Promise<Nginx> {
  const port = await freePort();
  await mkdir(join(folder, 'files'));
  await copyFile(file, join(folder, 'files', name));
  // Started by root its worker would be a user who may not read the folder of the run.
  const user = process.getuid?.() === 0 ? 'root' : undefined;
  await writeFile(join(folder, 'nginx.conf'), nginxConfig(folder, port, user));
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')];
  const running = spawn(program, args, { env: childEnv(), stdio: ['ignore', 'ignore', 'pipe'] });
  const errorOutput = keepErrorOutput(running);
  const stop = (): Promise<void> => stopProcess(running);
  const limit = performance.now() + START_LIMIT_MS;
  while (!(await isListening(port))) {
    if (running.exitCode !== null || performance.now() > limit) {
      await stop();
      throw new Error(`nginx does not listen\n${errorOutput()}`.trim());
    }
    await delay(ASK_AGAIN_MS);
  }
  return { port, stop };
}
