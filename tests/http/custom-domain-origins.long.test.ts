// A custom domain is proven once, and its owner may point it elsewhere on the next day. Nothing secret is sent
// there, and its pages use cookies only in requests that arrive under that very name.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { asRecord, Deployment } from '../support/deployment.js';
import type { Call } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { completeSettings, createWith, mailedLink, outcomeOf, post } from './complete-project.js';
import { openSmsGateway, type SmsGateway } from '../support/sms-gateway.js';
import { usersPath } from './administration.js';
import { originOf } from './redirects.js';

const domain = 'shop.example.org';
const other = 'old.example.org';
let deployment: Deployment;
let sms: SmsGateway;
let project: ProjectUnderTest;
let ann: SignedIn;

beforeAll(async () => {
  [deployment, sms] = await Promise.all([Deployment.shared(), openSmsGateway()]);
  project = await createWith(deployment, completeSettings(sms));
  for (const name of [domain, other]) await prove(name);
  ann = await project.signUp('ann@example.org');
});
afterAll(async () => {
  await deployment.close();
  await sms.close();
});

/** Adds a domain that an administrator of the deployment vouches for, and waits until it is served. */
async function prove(name: string): Promise<void> {
  const path = `/platform/projects/${project.ref}/domains`;
  await deployment.console({ method: 'POST', path, body: { domain: name } });
  const vouched = await deployment.console({ method: 'POST', path: `${path}/${name}/vouch` });
  expect(vouched).toMatchObject({ status: 200 });
  await waitFor(async () => {
    const reply = await project.send({ path: '/api/auth/get-session', headers: { host: name } });
    return reply.status === 200;
  });
}

/** The origin of the pages of a domain: it is reached as the project is. */
const pageOf = (name: string): string => originOf(project).replace(project.host, name);

describe('a redirect to the custom domain is refused', () => {
  test.each([
    { path: '/request-password-reset', field: 'redirectTo', code: '403 INVALID_REDIRECT_URL' },
    { path: '/sign-in/magic-link', field: 'callbackURL', code: '403 INVALID_CALLBACK_URL' },
    { path: '/send-verification-email', field: 'callbackURL', code: '403 INVALID_CALLBACK_URL' },
  ])('as $field of $path, whatever the host of the request', async ({ path, field, code }) => {
    for (const host of [project.host, domain]) {
      const body = { email: ann.email, [field]: `${pageOf(domain)}/taken` };
      const reply = await post(project, path, body, { host, origin: pageOf(host) });
      expect({ host, outcome: outcomeOf(reply) }).toEqual({ host, outcome: code });
    }
  });

  test('as callbackURL of a sign-in at a provider', async () => {
    const body = { provider: 'github', disableRedirect: true, callbackURL: pageOf(domain) };
    const reply = await post(project, '/sign-in/social', body);
    expect(outcomeOf(reply)).toBe('403 INVALID_CALLBACK_URL');
  });

  test('in a link of an administrator', async () => {
    const body = { type: 'magiclink', email: ann.email, redirectTo: `${pageOf(domain)}/taken` };
    const reply = await project.asService({
      method: 'POST',
      path: `${usersPath}/generate-link`,
      body,
    });
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.text).not.toContain('token');
  });
});

test('the link of a mail leads to the address of the project, also when the custom domain asked for it', async () => {
  const body = { email: 'bea@example.org', callbackURL: '/welcome' };
  const asked = await post(project, '/sign-in/magic-link', body, {
    host: domain,
    origin: pageOf(domain),
  });
  expect(asked.status).toBe(200);
  const link = await mailedLink(project, body.email);
  expect(link.origin).toBe(originOf(project));
  expect(link.searchParams.get('callbackURL')).toBe(`${originOf(project)}/welcome`);
});

describe('cookies', () => {
  const rename = (headers: Readonly<Record<string, string>>): Call => ({
    method: 'PUT',
    path: '/api/users/image',
    headers: { cookie: ann.cookie, ...headers },
    body: { image: null },
  });
  const session = (headers: Readonly<Record<string, string>>): Call => ({
    method: 'POST',
    path: '/api/auth/update-user',
    headers: { cookie: ann.cookie, ...headers },
    body: { name: 'Ann' },
  });

  test.each([
    { name: 'of a page of the domain, sent to the domain', host: domain, page: domain, ok: true },
    { name: 'of a page of the domain, sent to the project', page: domain, ok: false },
    { name: 'of a page of another proven domain', host: domain, page: other, ok: false },
    { name: 'of a page of the project, sent to the domain', host: domain, ok: true },
    { name: 'of a foreign page, sent to the domain', host: domain, page: 'evil.test', ok: false },
  ])('$name', async ({ host = project.host, page = project.host, ok }) => {
    const headers = { host, origin: pageOf(page) };
    const own = await project.send(rename(headers));
    expect(own.status).toBe(ok ? 200 : 401);
    expect(own.headers['access-control-allow-credentials']).toBe(ok ? 'true' : undefined);
    const engine = await project.send(session(headers));
    expect(outcomeOf(engine)).toBe(ok ? '200' : '403 INVALID_ORIGIN');
  });

  test('a user signs in on a page of the domain, and the cookie is good there', async () => {
    const headers = { host: domain, origin: pageOf(domain), 'sec-fetch-site': 'same-origin' };
    const body = { email: ann.email, password: 'correct horse battery' };
    const reply = await post(project, '/sign-in/email', body, headers);
    expect(reply.status).toBe(200);
    const [line = ''] = reply.headers['set-cookie'] ?? [];
    expect(line).not.toMatch(/domain=/i);
    const cookie = line.split(';')[0] ?? '';
    const read = await project.send({
      path: '/api/auth/get-session',
      headers: { ...headers, cookie },
    });
    expect(asRecord(asRecord(read.body)['user'])['email']).toBe(ann.email);
  });
});
