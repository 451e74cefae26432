// The database is away for some seconds: 503 `disconnected` on every kind of route, and everything comes back.
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { timeUntil } from '#libs/testing';
import { type Call, type Reply, send } from '../../support/http.js';
import type { SignedIn } from '../../support/project.js';
import { Findings, type Outcome, projectAt, type Trial, type TrialCase } from '../case.js';
import { shownMs } from '../figures.js';

const awayMs = 5_000;
const backMs = 60_000;

export const databaseAway: TrialCase = { name: 'database-away', run };

interface Route {
  readonly name: string;
  readonly ask: () => Promise<Reply>;
}

async function run(trial: Trial): Promise<Outcome> {
  const { deployment } = trial;
  const found = new Findings();
  await deployment.restart();
  const { pid } = deployment;
  const user = await projectAt(trial, 4).signUp(`away-${Date.now()}@example.org`);
  const routes = routesOf(trial, user);
  for (const { name, ask } of routes) {
    const { status } = await ask();
    found.check(status < 300, `before the outage ${name} answered ${status}`);
  }
  const takeBack = await takeAway(trial);
  let answers = 0;
  try {
    const endsAt = performance.now() + awayMs;
    while (performance.now() < endsAt) {
      for (const { name, ask } of routes) {
        const reply = await ask();
        answers += 1;
        found.check(isAway(reply), `${name} answered ${reply.status} ${reply.text.slice(0, 200)}`);
      }
      await delay(500);
    }
  } finally {
    await takeBack();
  }
  const isBack = async () => {
    for (const { name, ask } of routes) {
      const { status, text } = await ask();
      if (status >= 300) throw new Error(`${name} answers ${status} ${text.slice(0, 200)}`);
    }
    return true;
  };
  const tookMs = await timeUntil(isBack, { ms: backMs, until: 'every route answers again' });
  found.check(deployment.pid === pid && deployment.isRunning, 'the process has ended');
  return found.outcome(
    `${routes.length} kinds of routes, ${answers} answers in ${shownMs(awayMs)} of outage, all back after ${shownMs(tookMs)}`,
  );
}

/** Ends PostgreSQL and keeps it from starting. The returned function lets it start. */
async function takeAway({ deployment }: Trial): Promise<() => Promise<void>> {
  const settings = join(deployment.databaseFolder, 'postgresql.conf');
  const hidden = `${settings}.away`;
  await rename(settings, hidden);
  await deployment.killDatabase();
  // Until the supervisor has noticed, connections may still end in the middle.
  await delay(200);
  return () => rename(hidden, settings);
}

function isAway({ status, body }: Reply): boolean {
  const { details, db }: { details?: { reason?: unknown }; db?: unknown } = Object(body);
  return status === 503 && (details?.reason === 'disconnected' || db === 'disconnected');
}

function routesOf(trial: Trial, user: SignedIn): readonly Route[] {
  const { deployment } = trial;
  const [open, closed] = [projectAt(trial, 4), projectAt(trial, 5)];
  const service = (name: string, call: Call): Route => ({ name, ask: () => open.asService(call) });
  return [
    service('rows', { path: '/rest/v1/notes?limit=1' }),
    service('SQL', { method: 'POST', path: '/api/admin/sql', body: { query: 'select 1' } }),
    service('users', { path: '/api/admin/users' }),
    service('settings', { path: '/api/admin/settings/api.rest' }),
    service('messages', { path: '/api/admin/messages' }),
    service('buckets', { path: '/api/admin/storage/buckets' }),
    { name: 'session', ask: () => open.as(user, { path: '/api/auth/get-session' }) },
    { name: 'rows of a user', ask: () => open.as(user, { path: '/rest/v1/notes?limit=1' }) },
    { name: 'health', ask: () => open.send({ path: '/api/health-check' }) },
    { name: 'readiness', ask: () => send(deployment.apiOrigin, { path: '/readyz' }) },
    { name: 'console readiness', ask: () => send(deployment.consoleOrigin, { path: '/readyz' }) },
    { name: 'projects', ask: () => deployment.console({ path: '/platform/projects' }) },
    { name: 'operations', ask: () => deployment.console({ path: '/platform/operations' }) },
    ...coldRoute(trial, closed.ref),
  ];
}

/** Returns a route to projects that are not open: each request goes to the next one, the last of them repeatedly. */
function coldRoute({ projects }: Trial, firstRef: string): readonly Route[] {
  const cold = projects.slice(projects.findIndex(({ ref }) => ref === firstRef));
  let asked = 0;
  const next = () => cold[Math.min(cold.length - 1, (asked += 1) - 1)];
  return [
    {
      name: 'rows of a closed project',
      ask: () => {
        const project = next();
        if (project === undefined) throw new Error('there is no closed project');
        return project.asService({ path: '/rest/v1/notes?limit=1' });
      },
    },
  ];
}
