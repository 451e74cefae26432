// Bodies that are the worst for a server, and the routes of both applications that read one: a new route is among them
// without a change here. While a body arrives, another project goes on sending requests: its answers come as before.
import { type ConsoleRoute, listRoutes } from '#apps/console/server';

import { speedFactor } from '#libs/testing';

import { startConsole } from '../console/console-under-test.js';
import { projectRoutes } from '../isolation/api-routes.js';
import { type Reply, send } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';
import { longestTurn, longestWait } from './event-loop.js';
import {
  type WorstBody,
  worstFormBodies,
  worstJsonBodies,
  worstPartBodies,
} from './worst-bodies.js';

/** How long a body may hold the loop. */
const turnMs = 50;
/** A request of the neighbor meets two such turns at most: when it arrives, and when the database has answered. */
const waitMs = 2 * turnMs;
/** Collecting garbage adds to a turn whose request is not the cause, so the best of several tries counts. */
const maxTries = 5;
const bodied = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
export type Tried = {
  readonly method: string;
  readonly path: string;
  readonly body: ConsoleRoute['body'];
};
const tried = (routes: readonly Tried[]) =>
  routes
    // Rows of tables have a limit that their project sets, and are read by another parser.
    .filter(
      ({ method, body }) => bodied.has(method) && body.kind !== 'none' && body.kind !== 'text',
    )
    // This one ends the session that the others need.
    .toSorted((a, b) => Number(a.path.endsWith('sign-out')) - Number(b.path.endsWith('sign-out')))
    .map((route) => ({ ...route, name: `${route.method} ${route.path}` }));

export const ofApi = tried(await projectRoutes());
const console_ = await startConsole();
export const ofConsole = tried(listRoutes(console_.app));
await console_[Symbol.asyncDispose]();

function maxBytesOf({ body }: Tried): number {
  if (body.kind === 'json' || body.kind === 'bytes') return body.maxBytes;
  return 1024 * 1024;
}

/** A body with its media type. */
export interface TypedBody {
  readonly type: string;
  readonly text: string;
}

/** Routes that read the body themselves may read forms. */
function bodiesFor({ body: { kind } }: Tried): readonly WorstBody[] {
  const forms = { bytes: worstFormBodies, stream: worstPartBodies };
  return [...worstJsonBodies, ...(kind === 'bytes' || kind === 'stream' ? forms[kind] : [])];
}

export const call = (
  origin: string,
  { method, path }: Tried,
  { type, text }: TypedBody,
  headers: object,
) =>
  send(origin, {
    method,
    // A group that exists, or the body would not be looked at.
    path: path.replace(':group', 'email.templates').replace(/:\w+|\*/g, 'abc'),
    headers: { 'content-type': type, ...headers },
    body: text,
  }).catch((error: NodeJS.ErrnoException): Partial<Reply> => {
    // The server answers before it has read everything, and closes.
    if (error.code === 'EPIPE' || error.code === 'ECONNRESET') return {};
    throw error;
  });

/** Returns what is wrong with an answer: it is a success, or a refusal with a code. */
function problemOf({ status, body }: Partial<Reply>): string | undefined {
  // Absent: the server closed the connection while the body was being sent.
  if (status === undefined || (status >= 200 && status < 400)) return undefined;
  const isRefusal =
    status < 500 &&
    typeof body === 'object' &&
    body !== null &&
    Reflect.get(body, 'status') === status &&
    /^\w+$/.test(String(Reflect.get(body, 'code')));
  return isRefusal ? undefined : `answers ${status} ${JSON.stringify(body)}`;
}

/** Makes rows of a project that everybody may read. Returns a request for them; it throws if they do not come. */
export async function readerOf(project: ProjectUnderTest): Promise<() => Promise<void>> {
  await project.sql(`create table seen (id int); insert into seen values (1);
    create policy everybody on seen for select using (true)`);
  return async () => {
    const { status, text } = await project.send({ path: '/rest/v1/seen' });
    if (status !== 200 || text !== '[{"id":1}]')
      throw new Error(`the neighbor is answered with ${status} ${text}`);
  };
}

/**
 * Returns what is wrong with the answers of a route to the worst bodies, and with those that a neighbor gets to
 * requests at the same time.
 */
export async function findFaults(
  route: Tried,
  ask: (body: TypedBody) => Promise<Partial<Reply>>,
  neighbor: () => Promise<void>,
) {
  const faults: string[] = [];
  for (const { name, type, make } of bodiesFor(route)) {
    const body = { type, text: make(maxBytesOf(route)) };
    const problems = new Set<string | undefined>();
    const work = async () => problems.add(problemOf(await ask(body)));
    const blocks = await blocksOf(work, neighbor);
    for (const block of blocks) problems.add(block);
    problems.delete(undefined);
    faults.push(...Array.from(problems, (problem) => `${name}: ${problem}`));
    // All tries of a body that blocks take long, and the other bodies of the route will not do better.
    if (blocks.length > 0) break;
  }
  return faults;
}

/** Returns what is wrong in all tries of `work` with the turns of the loop and the waits of the neighbor. */
async function blocksOf(work: () => Promise<unknown>, neighbor: () => Promise<void>) {
  let problems: string[] = [];
  for (let tries = 0; tries < maxTries; tries += 1) {
    let wait = 0;
    const turn = await longestTurn(async () => {
      wait = await longestWait(work, neighbor);
    });
    const factor = speedFactor();
    problems = [
      ...(turn > turnMs * factor ? [`holds the loop for ${Math.round(turn)} ms`] : []),
      ...(wait > waitMs * factor ? [`keeps a neighbor waiting for ${Math.round(wait)} ms`] : []),
    ];
    if (problems.length === 0) return [];
  }
  return problems;
}
