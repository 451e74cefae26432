// SIGTERM under load: not ready first, no request lost until balancers have noticed, everything acknowledged is there.
import { setTimeout as delay } from 'node:timers/promises';

import { send } from '../../support/http.js';
import { Findings, type Outcome, projectAt, type Trial, type TrialCase } from '../case.js';
import { counted, shownMs } from '../figures.js';
import { forEachProject } from '../fleet.js';
import { waitFor } from '../wait.js';

const preStopSeconds = 3;
const drainSeconds = 20;
/** Of a reply that is under way when the listener closes. */
const slowSeconds = 6;
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
  const load = new Writes(trial);
  const writing = load.run(workers);
  await waitFor(() => Promise.resolve(load.statuses.length > 100), {
    ms: 30_000,
    until: 'it runs',
  });
  const startedAt = performance.now();
  const reply = slow.asService({
    method: 'POST',
    path: '/rest/v1/rpc/slow',
    body: { seconds: slowSeconds },
  });
  const ended = deployment.stop();
  const readinessMs = await waitFor(async () => (await readiness(trial)) === 503, {
    ms: preStopSeconds * 1000,
    until: 'the server says that it is not ready',
    everyMs: 20,
  });
  await delay(balancerMs);
  load.stop();
  await writing;
  const bad = load.statuses.filter((status) => status !== '201');
  found.check(bad.length === 0, `writes before the listener closed: ${counted(bad)}`);
  const late = await reply.then(({ status }) => String(status)).catch(String);
  found.check(late === '200', `a reply that was under way ended with ${late}`);
  const exit = await ended;
  const tookMs = performance.now() - startedAt;
  found.check(exit === 0, `the process ended with ${exit}`);
  found.check(tookMs < (preStopSeconds + drainSeconds) * 1000, `the end took ${shownMs(tookMs)}`);
  await deployment.start();
  const lost = await load.lost();
  found.check(lost === 0, `${lost} acknowledged rows are lost`);
  return found.outcome(
    `${load.statuses.length} writes, not ready after ${shownMs(readinessMs)}, ended after ${shownMs(tookMs)} with a reply of ${slowSeconds} s, ${lost} rows lost`,
  );
}

async function readiness({ deployment }: Trial): Promise<number> {
  return (await send(deployment.apiOrigin, { path: '/readyz' })).status;
}

/** Rows that are inserted by several clients until they are stopped. */
class Writes {
  readonly statuses: string[] = [];
  readonly #idsByProject: Set<string>[];
  #isOver = false;
  #next = 0;

  constructor(private readonly trial: Trial) {
    this.#idsByProject = Array.from({ length: usedProjects }, () => new Set());
  }

  async run(clients: number): Promise<void> {
    await Promise.all(Array.from({ length: clients }, () => this.#work()));
  }

  stop(): void {
    this.#isOver = true;
  }

  /** How many acknowledged rows are not there. */
  async lost(): Promise<number> {
    const projects = this.trial.projects.slice(0, usedProjects);
    const lost = await forEachProject(projects, async ({ database }, index) => {
      const rows = await this.trial.deployment.ask('select id from public.notes', database);
      const there = new Set(rows.map(({ id }) => id));
      return [...(this.#idsByProject[index] ?? [])].filter((id) => !there.has(id)).length;
    });
    return lost.reduce((sum, count) => sum + count, 0);
  }

  async #work(): Promise<void> {
    while (!this.#isOver) {
      const number = (this.#next += 1);
      const place = number % usedProjects;
      const body = { id: `sigterm-${Date.now()}-${number}`, body: 'x' };
      const call = { method: 'POST', path: '/rest/v1/notes', body };
      const status = await projectAt(this.trial, place)
        .asService(call)
        .then((reply) => String(reply.status))
        .catch(String);
      this.statuses.push(status);
      if (status === '201') this.#idsByProject[place]?.add(body.id);
    }
  }
}
