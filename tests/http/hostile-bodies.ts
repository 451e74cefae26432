// Bodies that are the worst for a server, and the routes of both applications that read one: a new route is among them
// without a change here.
import { type ConsoleRoute, listRoutes } from '#apps/console/server';

import { startConsole } from '../console/console-under-test.js';
import { projectRoutes } from '../isolation/api-routes.js';
import { type Reply, send } from '../support/http.js';
import { holdsLoop } from './event-loop.js';

const boundMs = 50;
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

const repeat = (length: number, make: (at: number) => string) =>
  Array.from({ length }, (_, at) => make(at)).join(',');

/** The worst that fits into `size` bytes. */
export const worst: Readonly<Record<string, (size: number) => string>> = {
  'many unknown keys': (size) => `{${repeat(Math.floor(size / 13), (at) => `"k${at + 1e6}":1`)}}`,
  'many empty objects': (size) => `{"email":[${repeat(Math.floor(size / 3) - 5, () => '{}')}]}`,
  'many paths': (size) =>
    `{"bucket":"docs","paths":[${repeat(Math.floor(size / 5) - 9, () => '"a"')}]}`,
  'deep nesting': (size) => '['.repeat(size / 2) + ']'.repeat(size / 2),
  'a long text': (size) => `{"email":"${'a@'.repeat(size / 2 - 10)}"}`,
  'a long text of quotes': (size) => `{"email":"${'\\"'.repeat(size / 2 - 10)}"}`,
  'more than the limit': (size) => `{"email":"${'a'.repeat(size)}"}`,
};

export const call = (origin: string, { method, path }: Tried, body: string, headers: object) =>
  send(origin, {
    method,
    path: path.replace(/:\w+|\*/g, 'abc'),
    headers: { 'content-type': 'application/json', ...headers },
    body,
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

/** Returns what is wrong with the answers of a route to the worst bodies. */
export async function findFaults(route: Tried, ask: (body: string) => Promise<Partial<Reply>>) {
  const faults: string[] = [];
  for (const [name, make] of Object.entries(worst)) {
    const body = make(maxBytesOf(route));
    const problems = new Set<string | undefined>();
    const work = async () => problems.add(problemOf(await ask(body)));
    if (await holdsLoop(work, boundMs)) problems.add('holds the loop');
    problems.delete(undefined);
    faults.push(...Array.from(problems, (problem) => `${name}: ${problem}`));
  }
  return faults;
}
