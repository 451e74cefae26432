// SIGTERM under load: not ready first, no request lost until balancers have noticed, everything acknowledged is there.
import { setTimeout as delay } from 'node:timers/promises';

import { timeUntil } from '#libs/testing';
import { send } from '../../support/http.js';
import type { ProjectUnderTest } from '../../support/project.js';
import { Findings, type Outcome, projectAt, type Trial, type TrialCase } from '../case.js';
import { counted, shownMs } from '../figures.js';
import { type HalfSent, sendHalf, sendText } from '../half-sent.js';
import { RowWrites } from '../row-writes.js';

const preStopSeconds = 3;
const drainSeconds = 20;
/** Of a reply that is under way when the listener closes. */
const slowSeconds = 6;
/** From the end of that reply to the end of the process. Requests that came in half must not prolong it. */
const closeMs = 5_000;
const workers = 8;
const usedProjects = 8;
/** A balancer asks this often, and sends nothing more after it has read that the server is not ready. */
const balancerMs = 1_000;

export const sigterm: TrialCase = { name: 'sigterm', run };

async function run(trial: Trial): Promise<Outcome> {
  const { deployment } = trial;
  const found = new Findings();
  const slow = projectAt(trial, 7);
  await slow.sql(`create or replace function slow(seconds float8) returns text language sql volatile
    as $$ select pg_catalog.pg_sleep(seconds); select 'done' $$`);
  await deployment.restart({
    PRE_STOP_SECONDS: String(preStopSeconds),
    DRAIN_SECONDS: String(drainSeconds),
  });
  const load = new RowWrites(deployment, trial.projects.slice(0, usedProjects));
  const writing = load.run(workers);
  await timeUntil(() => Promise.resolve(load.answers.length > 100), {
    ms: 30_000,
    until: 'it runs',
  });
  const { readinessMs, tookMs, halfMs } = await endUnderLoad(trial, slow, {
    load,
    writing,
    found,
  }).finally(() => load.stop());
  await deployment.start();
  const lost = await load.lost();
  found.check(lost === 0, `${lost} acknowledged rows are lost`);
  return found.outcome(
    `${load.answers.length} writes, not ready after ${shownMs(readinessMs)}, ended after ${shownMs(tookMs)} with a reply of ${slowSeconds} s and ${halfMs.length} requests sent in half, the last of them closed after ${shownMs(Math.max(...halfMs))}; ${lost} rows lost`,
  );
}

interface Load {
  readonly load: RowWrites;
  readonly writing: Promise<void>;
  readonly found: Findings;
}

/** Sends SIGTERM while rows are written, a reply is under way and requests have come in half. */
async function endUnderLoad(trial: Trial, slow: ProjectUnderTest, { load, writing, found }: Load) {
  const { deployment } = trial;
  const halves = sendHalves(trial, slow.host);
  const startedAt = performance.now();
  const body = { seconds: slowSeconds };
  const reply = slow.asService({ method: 'POST', path: '/rest/v1/rpc/slow', body });
  const ended = deployment.stop();
  const readinessMs = await timeUntil(async () => (await readiness(trial)) === 503, {
    ms: preStopSeconds * 1000,
    until: 'the server says that it is not ready',
    everyMs: 20,
  });
  await delay(balancerMs);
  load.stop();
  await writing;
  const { bad } = load;
  found.check(bad.length === 0, `writes before the listener closed: ${counted(bad)}`);
  const late = await reply.then(({ status }) => String(status)).catch(String);
  found.check(late === '200', `a reply that was under way ended with ${late}`);
  const exit = await ended;
  const tookMs = performance.now() - startedAt;
  found.check(exit === 0, `the process ended with ${exit}`);
  found.check(tookMs < slowSeconds * 1000 + closeMs, `the end took ${shownMs(tookMs)}`);
  const halfMs = await Promise.all(halves.map(({ closed }) => closed));
  return { readinessMs, tookMs, halfMs };
}

async function readiness({ deployment }: Trial): Promise<number> {
  return (await send(deployment.apiOrigin, { path: '/readyz' })).status;
}

/** Requests to both applications that lack a part of their headers or of their bodies. */
function sendHalves({ deployment }: Trial, host: string): readonly HalfSent[] {
  const { apiOrigin, consoleOrigin } = deployment;
  return [
    sendText(apiOrigin, `GET /rest/v1/notes HTTP/1.1\r\nhost: ${host}\r\n`),
    sendHalf(apiOrigin, `POST /rest/v1/notes HTTP/1.1\r\nhost: ${host}`),
    sendHalf(consoleOrigin, 'POST /platform/login HTTP/1.1\r\nhost: x'),
  ];
}
