// 80 signed-out connections ask for about 34 MB of rows each and never read.
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import type { ProjectUnderTest } from '../../support/project.js';
import { Findings, type Outcome, projectAt, type Trial, type TrialCase } from '../case.js';
import { counted, shownMs } from '../figures.js';

const connections = 80;
const path = '/rest/v1/flood';
const table = `create table flood (id int primary key, body text);
  insert into flood select i, repeat(md5(i::text), 1063) from generate_series(1, 1000) i;
  create policy everybody on flood for select using (true);`;
/** REPLY_MEMORY_MB, what small replies and sockets hold uncounted, and what the garbage collector has not taken yet. */
const growthMb = 400;
/** A reader that takes nothing is closed after 30 s. */
const closedMs = 60_000;
const backMs = 60_000;
const backShare = 1.2;

export const slowReaders: TrialCase = { name: 'slow-readers', run };

async function run(trial: Trial): Promise<Outcome> {
  const { deployment } = trial;
  const found = new Findings();
  const project = projectAt(trial, 0);
  await project.sql(table);
  const whole = await project.send({ path });
  found.check(whole.status === 200, `a reader that reads is answered ${whole.status}`);
  const replyMb = Math.round(Buffer.byteLength(whole.text) / 2 ** 20);
  const startMb = await deployment.rssMb();
  const statuses: number[] = [];
  const sockets = Array.from({ length: connections }, () => askAndSleep(project));
  const startedAt = performance.now();
  let peakMb = startMb;
  while (sockets.some(({ closed }) => !closed) && performance.now() - startedAt < closedMs) {
    peakMb = Math.max(peakMb, await deployment.rssMb());
    statuses.push((await projectAt(trial, 1).send({ path: '/rest/v1/notes?limit=1' })).status);
    await delay(200);
  }
  const tookMs = performance.now() - startedAt;
  const open = sockets.filter(({ closed }) => !closed).length;
  for (const socket of sockets) socket.destroy();
  const endMb = await memoryAfter(trial, startMb);
  await project.sql('drop table flood');
  found.check(open === 0, `${open} connections were open after ${shownMs(tookMs)}`);
  found.check(peakMb - startMb <= growthMb, `memory grew by ${peakMb - startMb} MB`);
  found.check(endMb <= startMb * backShare, `memory stays at ${endMb} MB`);
  found.check(
    statuses.every((status) => status === 200),
    `the neighbour was answered ${counted(statuses)}`,
  );
  return found.outcome(
    `${connections} x ${replyMb} MB: memory ${startMb} MB, at most ${peakMb} MB, then ${endMb} MB; closed after ${shownMs(tookMs)}`,
  );
}

/** A connection that takes no byte of its answer. The server ends it, perhaps by a reset. */
function askAndSleep({ apiOrigin, host }: ProjectUnderTest): Socket {
  const socket = connect({ port: Number(new URL(apiOrigin).port), host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  return socket;
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
