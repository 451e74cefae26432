// No body holds the event loop, which all projects and the console share, and none is a fault of the server. Here one
// route of each kind of body is tried; hostile-bodies.proof.test.ts tries them all.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { MAIL_KIND_NAMES, MAIL_KINDS, type MailKind } from '#libs/mail-templates';

import { Deployment } from '../support/deployment.js';
import { type Reply, send } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';
import { holdsLoop } from './event-loop.js';
import {
  call,
  findFaults,
  ofApi,
  ofConsole,
  readerOf,
  type Tried,
  type TypedBody,
} from './hostile-bodies.js';
import { worst } from './worst-bodies.js';

let deployment: Deployment;
let project: ProjectUnderTest;
/** Reads rows of another project. */
let neighbor: () => Promise<void>;
/** Its rate limits are not used up by the requests to the other one, which also end the operator's session. */
let fresh: ProjectUnderTest;
beforeAll(async () => {
  deployment = await Deployment.shared();
  [project, fresh] = [await deployment.createProject(), await deployment.createProject()];
  neighbor = await readerOf(await deployment.createProject());
});
afterAll(() => deployment.close());

/** The first route of each method that reads this kind and size of body in this part of the application. */
function oneOfEach<Route extends Tried>(routes: readonly Route[]): readonly Route[] {
  const kindOf = ({ method, path, body }: Tried) =>
    JSON.stringify([method, path.split('/')[1], body]);
  const kinds = routes.map(kindOf);
  return routes.filter((_, at) => kinds.indexOf(kinds[at] ?? '') === at);
}

describe('every body is taken or refused with a code, and none holds the loop or keeps a neighbor waiting', () => {
  test.each(oneOfEach(ofApi))('of the API: $name', async (route) => {
    const headers = { host: project.host, apikey: project.secretKey };
    const ask = (body: TypedBody) => call(deployment.apiOrigin, route, body, headers);
    expect(await findFaults(route, ask, neighbor)).toEqual([]);
  });

  test.each(oneOfEach(ofConsole))('of the console: $name', async (route) => {
    const headers = { authorization: `Bearer ${deployment.operatorToken}` };
    const ask = (body: TypedBody) => call(deployment.consoleOrigin, route, body, headers);
    expect(await findFaults(route, ask, neighbor)).toEqual([]);
  });
});

test('mails as long as they may be are read without holding the event loop', async () => {
  const htmlOf = (kind: MailKind) => {
    const shown = MAIL_KINDS[kind].needs.map(([name]) => `{{ ${name} }}`).join(' ');
    return `${"<a b=''>".repeat(12_000)}${shown}`;
  };
  const kinds = MAIL_KIND_NAMES.slice(0, 10);
  const body = Object.fromEntries(kinds.map((kind) => [kind, { html: htmlOf(kind) }]));
  const call = { method: 'PUT', path: '/api/admin/settings/email.templates', body };
  let reply: Reply | undefined;
  const save = async () => {
    reply = await project.asService(call);
  };
  expect(await holdsLoop(save, 50)).toBe(false);
  expect(reply?.status).toBe(200);
});

describe('a body that costs too much is refused before it is worked on', () => {
  const login = (body: string) =>
    send(deployment.consoleOrigin, { method: 'POST', path: '/platform/login', body });
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
