// 80 signed-out connections ask for about 34 MB of rows each and never read.
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { timeUntil } from '#libs/testing';
import { send } from '../../support/http.js';
import type { ProjectUnderTest } from '../../support/project.js';
import { Findings, type Outcome, projectAt, type Trial, type TrialCase } from '../case.js';
import { counted, shownMs } from '../figures.js';

const connections = 80;
const warmUpRounds = 5;
const warmUpReaders = 4;
const path = '/rest/v1/flood';
const table = `create table flood (id int primary key, body text);
  insert into flood select i, repeat(md5(i::text), 1063) from generate_series(1, 1000) i;
  create policy everybody on flood for select using (true);`;
/** REPLY_MEMORY_MB, what small replies and sockets hold uncounted, and what the garbage collector has not taken yet. */
const growthMb = 400;
/** A reader that takes nothing is closed after 30 s. */
const closedMs = 60_000;
/** For their end to be read, once the rest of their bytes was. */
const endMs = 5_000;
const backMs = 60_000;
const backShare = 1.2;

export const slowReaders: TrialCase = { name: 'slow-readers', run };

async function run(trial: Trial): Promise<Outcome> {
  const { deployment } = trial;
  const found = new Findings();
  const project = projectAt(trial, 0);
  await project.sql(table);
  const replyMb = await warmUp(project, found);
  const startMb = await deployment.rssMb();
  const statuses: number[] = [];
  const sockets = Array.from({ length: connections }, () => askAndSleep(project));
  const startedAt = performance.now();
  let peakMb = startMb;
  while (!(await areClosed(trial)) && performance.now() - startedAt < closedMs) {
    peakMb = Math.max(peakMb, await deployment.rssMb());
    statuses.push((await projectAt(trial, 1).send({ path: '/rest/v1/notes?limit=1' })).status);
    await delay(200);
  }
  const tookMs = performance.now() - startedAt;
  const open = await countOpen(sockets);
  const endMb = await memoryAfter(trial, startMb);
  await project.sql('drop table flood');
  found.check(open === 0, `${open} connections were open after ${shownMs(tookMs)}`);
  found.check(peakMb - startMb <= growthMb, `memory grew by ${peakMb - startMb} MB`);
  found.check(endMb <= startMb * backShare, `memory stays at ${endMb} MB`);
  found.check(
    statuses.every((status) => status === 200),
    `the neighbor was answered ${counted(statuses)}`,
  );
  return found.outcome(
    `${connections} x ${replyMb} MB: memory ${startMb} MB, at most ${peakMb} MB, then ${endMb} MB; closed after ${shownMs(tookMs)}`,
  );
}

/** Reads some answers, so that the memory at the start is that of a process that has sent them. Returns their size. */
async function warmUp(project: ProjectUnderTest, found: Findings): Promise<number> {
  let bytes = 0;
  for (let round = 0; round < warmUpRounds; round += 1) {
    const readers = Array.from({ length: warmUpReaders }, () => project.send({ path }));
    for (const { status, text } of await Promise.all(readers)) {
      found.check(status === 200, `a reader that reads is answered ${status}`);
      bytes = Buffer.byteLength(text);
    }
  }
  return Math.round(bytes / 2 ** 20);
}

/** A connection that takes no byte of its answer. The server ends it, perhaps by a reset. */
function askAndSleep({ apiOrigin, host }: ProjectUnderTest): Socket {
  const socket = connect({ port: Number(new URL(apiOrigin).port), host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
  return socket;
}

/** Whether the server has closed readers and holds no byte of an answer. A reader that does not read cannot see it. */
async function areClosed({ deployment }: Trial): Promise<boolean> {
  const { text } = await send(deployment.apiOrigin, { path: '/metrics' });
  const read = (name: string): number =>
    Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1] ?? NaN);
  const held = ['memory', 'spool'].map((place) => read(`rowhouse_reply_bytes{place="${place}"}`));
  return read('rowhouse_slow_readers_total') > 0 && held.every((bytes) => bytes === 0);
}

/** Reads what is left, and counts the connections that do not end. */
async function countOpen(sockets: readonly Socket[]): Promise<number> {
  for (const socket of sockets) socket.resume();
  const areEnded = () => Promise.resolve(sockets.every(({ closed }) => closed));
  await timeUntil(areEnded, { ms: endMs, until: 'they end' }).catch(() => undefined);
  const open = sockets.filter(({ closed }) => !closed);
  for (const socket of open) socket.destroy();
  return open.length;
}

/** The memory when it is back, or after a minute. */
async function memoryAfter({ deployment }: Trial, startMb: number): Promise<number> {
  const giveUpAt = performance.now() + backMs;
  let nowMb = await deployment.rssMb();
  while (nowMb > startMb * backShare && performance.now() < giveUpAt) {
    await delay(500);
    nowMb = await deployment.rssMb();
  }
  return nowMb;
}
