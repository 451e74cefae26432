// Bare Deno with the same handler: over TCP, and over a socket behind a server of bare node:http.

import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { keepErrorOutput, startServer, stopProcess } from '../child.js';
import { callAny } from '../control.js';
import { childEnv } from '../env.js';
import { requestText } from '../requests.js';
import { httpSeries } from '../series.js';
import { temporaryFolder } from '../site.js';
import type { CheckedSeries } from '../storage/place.js';
import { denoServer } from './code.js';
import { DENO, DENO_FRONT } from './demands.js';
import { faultIn, type FunctionPlace } from './place.js';

const START_LIMIT_MS = 30_000;

interface BareDeno {
  readonly pid: number;
  readonly port: number;
  readonly socket: string;
}

async function startDeno({ deno, cleanup }: FunctionPlace): Promise<BareDeno> {
  const folder = await temporaryFolder(cleanup);
  const file = join(folder, 'server.js');
  const socket = join(folder, 's');
  await writeFile(file, denoServer(socket));
  const running = cleanup.keep(
    spawn(deno, ['run', '--quiet', '--no-prompt', '--allow-all', file], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: childEnv({ DENO_DIR: join(folder, 'cache'), DENO_NO_UPDATE_CHECK: '1' }),
    }),
    (started) => stopProcess(started),
  );
  const errorOutput = keepErrorOutput(running);
  const port = await new Promise<number>((resolve, reject) => {
    const refuse = (why: string): void => reject(new Error(`Deno ${why}\n${errorOutput()}`.trim()));
    const limit = setTimeout(() => refuse('did not listen in time'), START_LIMIT_MS);
    running.once('error', (error) => refuse(error.message));
    running.once('exit', (code) => refuse(`ended with code ${String(code)}`));
    createInterface({ input: running.stdout }).on('line', (line) => {
      clearTimeout(limit);
      resolve(Number(line));
    });
  });
  if (running.pid === undefined) throw new Error('Deno could not be started');
  return { pid: running.pid, port, socket };
}

function bareSeries(
  place: FunctionPlace,
  key: CheckedSeries['key'],
  { port, pid }: { readonly port: number; readonly pid: number },
): CheckedSeries {
  const requests = [requestText('localhost', { method: 'GET', path: '/' })];
  return {
    ...httpSeries(key, { port, pid, requests }, place.by),
    async faultOf() {
      return faultIn(await callAny({ port, host: 'localhost', method: 'GET', path: '/' }));
    },
  };
}

export async function openBareDeno(place: FunctionPlace): Promise<CheckedSeries[]> {
  const deno = await startDeno(place);
  const front = await startServer('./servers/deno-front.js', [deno.socket]);
  place.cleanup.keep(front, (started) => started.stop());
  return [bareSeries(place, DENO, deno), bareSeries(place, DENO_FRONT, front)];
}
