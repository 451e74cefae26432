// No body holds the event loop, which all projects and the console share, and none is a fault of the server. The
// routes are those that the applications have: a new one is tried without a change here.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type ConsoleRoute, listRoutes } from '#apps/console/server';

import { startConsole } from '../console/console-under-test.js';
import { projectRoutes } from '../isolation/api-routes.js';
import { House } from '../support/house.js';
import { type Reply, send } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';
import { holdsLoop } from './event-loop.js';

const boundMs = 50;
const bodied = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
type Tried = {
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

const ofApi = tried(await projectRoutes());
const console_ = await startConsole();
const ofConsole = tried(listRoutes(console_.app));
await console_[Symbol.asyncDispose]();

let house: House;
let project: ProjectUnderTest;
/** Its rate limits are not used up by the requests to the other one, which also end the operator's session. */
let fresh: ProjectUnderTest;
beforeAll(async () => {
  house = await House.shared();
  [project, fresh] = [await house.createProject(), await house.createProject()];
});
afterAll(() => house.close());

function maxBytesOf({ body }: Tried): number {
  if (body.kind === 'json' || body.kind === 'bytes') return body.maxBytes;
  return 1024 * 1024;
}

const repeat = (length: number, make: (at: number) => string) =>
  Array.from({ length }, (_, at) => make(at)).join(',');

/** The worst that fits into `size` bytes. */
const worst: Readonly<Record<string, (size: number) => string>> = {
  'many unknown keys': (size) => `{${repeat(Math.floor(size / 13), (at) => `"k${at + 1e6}":1`)}}`,
  'many empty objects': (size) => `{"email":[${repeat(Math.floor(size / 3) - 5, () => '{}')}]}`,
  'many paths': (size) =>
    `{"bucket":"docs","paths":[${repeat(Math.floor(size / 5) - 9, () => '"a"')}]}`,
  'deep nesting': (size) => '['.repeat(size / 2) + ']'.repeat(size / 2),
  'a long text': (size) => `{"email":"${'a@'.repeat(size / 2 - 10)}"}`,
  'a long text of quotes': (size) => `{"email":"${'\\"'.repeat(size / 2 - 10)}"}`,
  'more than the limit': (size) => `{"email":"${'a'.repeat(size)}"}`,
};

const call = (origin: string, { method, path }: Tried, body: string, headers: object) =>
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

async function findFaults(route: Tried, ask: (body: string) => Promise<Partial<Reply>>) {
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

describe('every body is taken or refused with a code, and none holds the event loop', () => {
  test.each(ofApi)('of the API: $name', async (route) => {
    const headers = { host: project.host, apikey: project.secretKey };
    const faults = await findFaults(route, (body) => call(house.apiOrigin, route, body, headers));
    expect(faults).toEqual([]);
  });

  test.each(ofConsole)('of the console: $name', async (route) => {
    const headers = { authorization: `Bearer ${house.operatorToken}` };
    const faults = await findFaults(route, (body) =>
      call(house.consoleOrigin, route, body, headers),
    );
    expect(faults).toEqual([]);
  });
});

describe('a body that costs too much is refused before it is worked on', () => {
  const login = (body: string) =>
    send(house.consoleOrigin, { method: 'POST', path: '/platform/login', body });
  const signIn = (body: string) =>
    fresh.send({ method: 'POST', path: '/api/auth/sign-in/email', body });
  const studio = (body: string) => fresh.send({ method: 'POST', path: '/auth/login', body });

  test.each([
    { name: 'the login of the console', ask: login },
    { name: 'the sign-in of a project', ask: signIn },
    { name: 'the sign-in of a studio', ask: studio },
  ])('$name', async ({ ask }) => {
    const nested = await ask('['.repeat(30_000) + ']'.repeat(30_000));
    expect(nested).toMatchObject({ status: 400, body: { code: 'JSON_TOO_COMPLEX' } });
    const objects = await ask(worst['many empty objects']?.(60_000) ?? '');
    expect(objects).toMatchObject({ status: 400, body: { code: 'JSON_TOO_COMPLEX' } });
    const large = await ask(`{"email":"${'a'.repeat(70_000)}"}`);
    expect(large).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } });
  });

  test('an unknown field is named', async () => {
    const reply = await login('{"email":"a@b.c","password":"x","nme":1}');
    expect(reply).toMatchObject({ status: 400, body: { code: 'UNKNOWN_FIELD' } });
    expect(reply.text).toContain('nme');
  });

  test('a request over the rate limit is refused with its body unread', async () => {
    await fresh.asService({
      method: 'PUT',
      path: '/api/admin/settings/security.rateLimit',
      body: { enabled: true, windowSeconds: 600, max: 1000, credentialMax: 1 },
    });
    await signIn('{}');
    const reply = await signIn(`{"email":"${'a'.repeat(70_000)}"}`);
    expect(reply.status).toBe(429);
  });
});
