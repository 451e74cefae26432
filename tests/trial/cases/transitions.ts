// Projects are created and deleted while the server or PostgreSQL is killed. Each comes to its end by itself.
import { setTimeout as delay } from 'node:timers/promises';

import { timeUntil } from '#libs/testing';
import { asRecord } from '../../support/deployment.js';
import { Findings, type Outcome, type Trial, type TrialCase } from '../case.js';
import { counted, quantile, shownMs } from '../figures.js';
import type { TrialDeployment } from '../deployment.js';
import { listOperations } from '../operations.js';

/** Of each kind, in each round. */
const atATime = 3;
const wantedTransitions = 50;
/** A broken attempt is followed by another one within a minute, which then has to do its work. */
const settleMs = 90_000;
const latestKillMs = 1_200;
/** After the end of a deletion, until its ref can be used. */
const releaseMs = 30_000;

export const transitions: TrialCase = { name: 'transitions', run };

interface Tried {
  readonly ref: string;
  readonly kind: 'create' | 'delete';
  /** Undefined when no answer has come. */
  readonly status: number | undefined;
}

async function run(trial: Trial): Promise<Outcome> {
  const found = new Findings();
  const endsAt = performance.now() + trial.roundsMs;
  const settled: number[] = [];
  let rounds = 0;
  let unanswered = 0;
  while (rounds * 2 * atATime < wantedTransitions && performance.now() < endsAt) {
    const { tried, ms } = await round(trial, rounds, found);
    unanswered += tried.filter(({ status }) => status === undefined || status >= 500).length;
    settled.push(ms);
    rounds += 1;
  }
  const done = rounds * 2 * atATime;
  found.check(done >= wantedTransitions, `only ${done} of ${wantedTransitions} were done in time`);
  found.check(unanswered > 0, 'no kill has met a creation or deletion');
  return found.outcome(
    `${rounds} kills, ${done} creations and deletions, ${unanswered} broken; settled after ${shownMs(quantile(settled, 0.5))} in the median, ${shownMs(Math.max(0, ...settled))} at most`,
  );
}

async function round({ deployment, chance }: Trial, number: number, found: Findings) {
  const name = (kind: string, index: number) => `${kind}${number}x${index}`;
  const doomed = Array.from({ length: atATime }, (_, index) => name('old', index));
  for (const ref of doomed) await deployment.createProject(ref);
  const work = [
    ...doomed.map((ref) => attempt(deployment, 'delete', ref)),
    ...doomed.map((_, index) => attempt(deployment, 'create', name('new', index))),
  ];
  await delay(chance.below(latestKillMs));
  const killed = number % 2 === 0 ? 'server' : 'database';
  await (killed === 'server' ? deployment.kill() : deployment.killDatabase());
  const tried = await Promise.all(work);
  await deployment.ensureReady();
  const ms = await settle(deployment, tried).catch((error: unknown) => {
    found.check(false, `round ${number} (${killed} killed): ${String(error)}`);
    return settleMs;
  });
  await removeAll(deployment, tried, found);
  return { tried, ms };
}

async function attempt(
  deployment: TrialDeployment,
  kind: Tried['kind'],
  ref: string,
): Promise<Tried> {
  const request =
    kind === 'create' ? deployment.requestProject(ref) : deployment.requestDeletion(ref);
  // A connection that ends with the server has no answer.
  const status = await request.then((reply) => reply.status).catch(() => undefined);
  return { ref, kind, status };
}

/** Waits until no operation is open and every project is active or gone. Returns the milliseconds. */
function settle(deployment: TrialDeployment, tried: readonly Tried[]): Promise<number> {
  const isSettled = async (): Promise<boolean> => {
    const open = await listOperations(deployment);
    const refs = new Set(tried.map(({ ref }) => ref));
    const ours = open.filter(({ ref }) => refs.has(ref));
    if (ours.length > 0) throw new Error(JSON.stringify(ours[0]));
    for (const each of tried) {
      const state = await stateOf(deployment, each.ref);
      if (!allowed(each).includes(state)) throw new Error(`${each.ref} is ${state}`);
    }
    return true;
  };
  return timeUntil(isSettled, { ms: settleMs, until: 'all are settled', everyMs: 250 });
}

/** An acknowledged change is there; a broken one has happened or not. A refused deletion may be asked again. */
function allowed({ kind, status = 500 }: Tried): readonly string[] {
  const isDone = status < 300;
  if (kind === 'create') return isDone ? ['active'] : ['active', 'gone'];
  return isDone ? ['gone'] : ['active', 'gone'];
}

async function stateOf(deployment: TrialDeployment, ref: string): Promise<string> {
  const { status, body, text } = await deployment.console({ path: `/platform/projects/${ref}` });
  if (status === 404) return 'gone';
  if (status !== 200) throw new Error(`${status} ${text}`);
  return String(asRecord(body)['status']);
}

/** What is there can be deleted, and what is gone can be created again, a little later at most. */
async function removeAll(deployment: TrialDeployment, tried: readonly Tried[], found: Findings) {
  for (const { ref } of tried) {
    if ((await stateOf(deployment, ref)) === 'gone') await createAgain(deployment, ref, found);
    const removed = await deployment.requestDeletion(ref);
    found.check(removed.status === 204, `${ref} cannot be deleted: ${removed.text}`);
  }
}

/** A deletion drops the logins of a project when its row is gone; meanwhile its ref is being released. */
async function createAgain(
  deployment: TrialDeployment,
  ref: string,
  found: Findings,
): Promise<void> {
  const refusals: string[] = [];
  const isCreated = async (): Promise<boolean> => {
    const { status, body, text } = await deployment.requestProject(ref);
    if (status === 201) return true;
    refusals.push(`${status} ${String(Object(body).code)}`);
    throw new Error(text);
  };
  await timeUntil(isCreated, { ms: releaseMs, until: `${ref} is created again`, everyMs: 500 });
  const wrong = refusals.filter((refusal) => refusal !== '409 REF_BEING_RELEASED');
  found.check(wrong.length === 0, `a ref that was free soon was refused with ${counted(wrong)}`);
}
