// Projects are sub-domains of one domain, so that a page or function of one may give a browser cookies for all.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let victim: SignedIn;
let attacker: SignedIn;
beforeAll(async () => {
  deployment = await Deployment.open();
  project = await deployment.createProject();
  victim = await project.signUp('victim@example.org');
  attacker = await project.signUp('attacker@example.org');
  await project.sql(`
    create function public.whoami() returns text language sql as 'select auth.email()';
    create function public.bake(cookie text) returns void language sql as
      $$ select set_config('response.headers', json_build_array(json_build_object('Set-Cookie', cookie))::text, true) $$;
    grant execute on all functions in schema public to anon, authenticated;`);
}, 60_000);
afterAll(() => deployment.close(), 60_000);

const cookiesOf = (...users: readonly SignedIn[]) => users.map(({ cookie }) => cookie).join('; ');
const ask = (cookie: string, path: string) => project.send({ path, headers: { cookie } });

test.each([
  ['before its own', () => cookiesOf(attacker, victim)],
  ['after its own', () => cookiesOf(victim, attacker)],
])('a session that somebody has put %s is not used', async (_where, cookies) => {
  const rows = await ask(cookies(), '/rest/v1/rpc/whoami');
  expect({ status: rows.status, body: rows.body }).toEqual({ status: 200, body: null });
  const session = await ask(cookies(), '/api/auth/get-session');
  expect(session.body).toBeNull();
});

test('one session is used', async () => {
  const cookie = `theme=dark; ${victim.cookie}; theme=light`;
  expect((await ask(cookie, '/rest/v1/rpc/whoami')).body).toBe(victim.email);
  const session = asRecord((await ask(cookie, '/api/auth/get-session')).body);
  expect(asRecord(session['user'])['email']).toBe(victim.email);
});

test.each(['x=1; Domain=localhost', 'better-auth.session_token=x; Path=/rest'])(
  'a function may not set the cookie %s',
  async (cookie) => {
    const path = `/rest/v1/rpc/bake?cookie=${encodeURIComponent(cookie)}`;
    const reply = await project.asService({ path });
    expect(reply.status).toBe(500);
    expect(reply.headers['set-cookie']).toBeUndefined();
  },
);

test('under https, browsers take cookies of accounts from the host alone', async () => {
  const env = { PUBLIC_URL: 'https://localhost', ROOT_DOMAIN: 'localhost' };
  const secure = await Deployment.open({ env }, deployment);
  try {
    const reply = await project.through(secure.apiOrigin).send({
      method: 'POST',
      path: '/api/auth/sign-up/email',
      body: { email: 'third@example.org', password: 'correct horse battery' },
    });
    for (const line of reply.headers['set-cookie'] ?? []) {
      expect(line).toMatch(/^__Host-better-auth\.[^;]*;.*Path=\/(;|$)/);
      expect(line).toMatch(/; Secure/);
      expect(line).not.toMatch(/domain/i);
    }
    expect(reply.headers['set-cookie']?.length).toBeGreaterThan(0);
  } finally {
    await secure.close();
  }
}, 60_000);
