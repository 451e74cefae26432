// Signed-out requests to both applications whose bodies never arrive.
import { setTimeout as delay } from 'node:timers/promises';

import { Findings, type Outcome, projectAt, type Trial, type TrialCase } from '../case.js';
import { counted, shownMs } from '../figures.js';
import { sendHalf } from '../half-sent.js';

const perRoute = 20;
/** A body has 60 s; the socket is closed a few seconds later. */
const limitMs = 75_000;

export const unsentBodies: TrialCase = { name: 'unsent-bodies', run };

interface Waiting {
  readonly name: string;
  readonly closed: Promise<number | undefined>;
}

async function run(trial: Trial): Promise<Outcome> {
  const found = new Findings();
  const { apiOrigin, consoleOrigin } = trial.deployment;
  const { host } = projectAt(trial, 0);
  const waiting = [
    { name: 'rows', origin: apiOrigin, head: `POST /rest/v1/notes HTTP/1.1\r\nhost: ${host}` },
    {
      name: 'sign-in',
      origin: apiOrigin,
      head: `POST /api/auth/sign-in/email HTTP/1.1\r\nhost: ${host}`,
    },
    { name: 'SQL', origin: apiOrigin, head: `POST /api/admin/sql HTTP/1.1\r\nhost: ${host}` },
    { name: 'login', origin: consoleOrigin, head: 'POST /platform/login HTTP/1.1\r\nhost: x' },
  ].flatMap(({ name, origin, head }) =>
    Array.from({ length: perRoute }, () => ({ name, closed: timeOf(origin, head) })),
  );
  const times = await timesOf(waiting);
  const open = times.filter(({ ms }) => ms === undefined).map(({ name }) => name);
  found.check(open.length === 0, `still open after ${shownMs(limitMs)}: ${counted(open)}`);
  const longest = Math.max(0, ...times.map(({ ms }) => ms ?? limitMs));
  return found.outcome(`${times.length} connections, the last closed after ${shownMs(longest)}`);
}

const timesOf = (waiting: readonly Waiting[]) =>
  Promise.all(waiting.map(async ({ name, closed }) => ({ name, ms: await closed })));

/** Resolves to the milliseconds until the server closed the connection; to undefined when it does not. */
async function timeOf(origin: string, head: string): Promise<number | undefined> {
  const half = sendHalf(origin, head);
  const patience = new AbortController();
  const late = delay(limitMs, undefined, { signal: patience.signal }).catch(() => undefined);
  const ms = await Promise.race([half.closed, late]);
  patience.abort();
  half.end();
  return ms;
}
