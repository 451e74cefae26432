// The page that describes the REST API to administrators, on the project's host and behind the console.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';

import { waitFor } from '#libs/testing';
import { documentProblems } from '../../libs/rest-docs/tests/document-problems.js';
import { assertionFor } from '../isolation/neighbors.js';
import { asRecord, asSuperuser, Deployment } from '../support/deployment.js';
import type { Call, Reply } from '../support/http.js';
import { type ProjectUnderTest, type SignedIn, userPassword } from '../support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let sibling: ProjectUnderTest;
let user: SignedIn;
let admin: SignedIn;

const page = '/api/admin/rest/docs';
const pageDocument = `${page}/openapi.json`;

beforeAll(async () => {
  deployment = await Deployment.shared();
  [project, sibling] = await Promise.all([deployment.createProject(), deployment.createProject()]);
  await project.sql(`
    create table posts (id int primary key);
    create table drawer (id int primary key);
    revoke all on drawer from anon, authenticated;`);
  user = await project.signUp('user@example.org');
  admin = await project.signUp('admin@example.org');
  await asSuperuser(`update auth."user" set role = 'ADMIN' where id = $1`, {
    database: project.database,
    values: [admin.id],
  });
});
afterAll(() => deployment.close());

const pathsIn = ({ body }: Reply): readonly string[] =>
  Object.keys(asRecord(asRecord(body)['paths']));

const asAdmin = (call: Call) =>
  project.send({ ...call, headers: { cookie: admin.cookie, ...call.headers } });

test.each([page, `${page}/`, '/admin/rest/docs'])('%s and its files', async (path) => {
  const reply = await asAdmin({ path });
  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
  const links = [...reply.text.matchAll(/(?:src|href|data-document)="([^"]+)"/g)];
  expect(links).toHaveLength(5);
  for (const [, link = ''] of links) {
    expect(link).not.toMatch(/^(?:\/|\w+:)/);
    const file = await asAdmin({ path: new URL(link, `http://host${path}`).pathname });
    expect({ link, status: file.status }).toEqual({ link, status: 200 });
    expect(file.text.length).toBeGreaterThan(500);
  }
});

test('its policy allows its own script and style, and nothing from elsewhere', async () => {
  const reply = await asAdmin({ path: page });
  const policy = String(reply.headers['content-security-policy']);
  const [, script = ''] = /<script>([^]*?)<\/script>/.exec(reply.text) ?? [];
  const [, style = ''] = /<style>([^]*?)<\/style>/.exec(reply.text) ?? [];
  const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');
  expect([script, style].every((text) => text.length > 100)).toBe(true);
  expect(policy).toContain(`script-src 'self' 'sha256-${hashOf(script)}'`);
  expect(policy).toContain(`style-src 'self' 'sha256-${hashOf(style)}'`);
  expect(policy).toContain(`default-src 'none'`);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
});

test('the name of the project is text', async () => {
  const name = `<script>alert('x')</script> & "co"`;
  const path = `/platform/projects/${sibling.ref}`;
  expect((await deployment.console({ method: 'PATCH', path, body: { name } })).status).toBe(200);
  const shown = async () => (await sibling.asService({ path: page })).text;
  await waitFor(async () => (await shown()).includes('&lt;script&gt;alert'));
  expect(await shown()).not.toContain('<script>alert');
});

test.each([
  { who: 'nobody', headers: () => ({}), status: 401 },
  { who: 'a user', headers: () => ({ cookie: user.cookie }), status: 403 },
  {
    who: 'the publishable key',
    headers: () => ({ apikey: project.publishableKey }),
    status: 401,
  },
  {
    who: 'an administrator by bearer',
    headers: () => ({ authorization: `Bearer ${admin.token}` }),
    status: 200,
  },
  { who: 'the secret key', headers: () => ({ apikey: project.secretKey }), status: 200 },
  {
    who: 'an operator',
    headers: () => ({ 'x-rowhouse-operator': assertionFor(deployment, project.ref) }),
    status: 200,
  },
])('$who gets $status', async ({ headers, status }) => {
  expect((await project.send({ path: pageDocument, headers: headers() })).status).toBe(status);
  // The page holds nothing: it is open, and asks.
  expect((await project.send({ path: page, headers: headers() })).status).toBe(200);
});

/** Runs the script of the page with the few things of a browser that it uses. */
async function openPage(fields: Readonly<Record<string, string>>) {
  const { text } = await project.send({ path: page });
  const [, script = ''] = /<script>([^]*?)<\/script>/.exec(text) ?? [];
  const dataset = Object.fromEntries(
    [...text.matchAll(/data-(\w+)="([^"]+)"/g)].map(([, name = '', value]) => [name, value]),
  );
  const elements = new Map<string, Record<string, unknown>>();
  const submits: ((event: object) => Promise<void>)[] = [];
  const shown: Record<string, unknown>[] = [];
  const element = (id: string) => {
    const found = elements.get(id) ?? {
      hidden: true,
      textContent: '',
      addEventListener: (_name: string, handle: (event: object) => Promise<void>) =>
        submits.push(handle),
    };
    elements.set(id, found);
    return found;
  };
  let answered: () => void = () => undefined;
  const first = new Promise<void>((resolve) => (answered = resolve));
  runInNewContext(script, {
    document: { body: { dataset }, getElementById: element },
    FormData: class {
      *[Symbol.iterator]() {
        for (const name of ['key', 'email', 'password', 'code']) yield [name, fields[name] ?? ''];
      }
    },
    SwaggerUIBundle: (options: Record<string, unknown>) => shown.push(options),
    fetch: async (path: string, options: Record<string, unknown>) => {
      const reply = await project.send({
        ...options,
        path: new URL(path, `http://host${page}`).pathname,
      });
      setImmediate(answered);
      return {
        ok: reply.status < 400,
        json: () => Promise.resolve(reply.body),
      };
    },
  });
  await first;
  for (const submit of submits) await submit({ preventDefault: () => undefined });
  return {
    shown,
    notice: element('notice')['textContent'],
    isFormHidden: element('sign-in')['hidden'],
  };
}

test.each([
  { who: 'the secret key', fields: () => ({ key: project.secretKey }) },
  { who: 'an administrator', fields: () => ({ email: admin.email, password: userPassword }) },
])('a visitor opens it with $who, which every try sends along', async ({ fields }) => {
  const { shown, notice, isFormHidden } = await openPage(fields());
  expect({ notice, isFormHidden, count: shown.length }).toEqual({
    notice: '',
    isFormHidden: true,
    count: 1,
  });
  expect(shown[0]).toMatchObject({ spec: { servers: [{ url: '/rest/v1' }] } });
  const intercept: unknown = shown[0]?.['requestInterceptor'];
  const sent = typeof intercept === 'function' ? intercept({ headers: {} }) : undefined;
  const reply = await project.send({
    path: pageDocument,
    headers: Object.fromEntries(
      Object.entries(asRecord(asRecord(sent)['headers'])).map(([name, value]) => [
        name,
        String(value),
      ]),
    ),
  });
  expect(reply.status).toBe(200);
});

test.each([
  { who: 'a wrong key', fields: () => ({ key: 'svc_secret_wrong' }) },
  { who: 'a user', fields: () => ({ email: user.email, password: userPassword }) },
])('with $who it stays closed and says why', async ({ fields }) => {
  const { shown, notice, isFormHidden } = await openPage(fields());
  expect({ shown, isFormHidden }).toEqual({ shown: [], isFormHidden: false });
  expect(String(notice)).toMatch(/administrators/);
});

test('its document shows what the administrator may use, on the host of the page', async () => {
  const reply = await asAdmin({ path: pageDocument });
  expect(documentProblems(reply.body)).toEqual([]);
  expect(reply.body).toMatchObject({ servers: [{ url: '/rest/v1' }] });
  expect(pathsIn(reply)).toContain('/posts');
  expect(reply.text).not.toContain('drawer');
});

test('through the console the document names the address of the project', async () => {
  const behind = (path: string) =>
    deployment.console({ path: `/platform/projects/${project.ref}${path}` });
  const reply = await behind(pageDocument);
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({
    servers: [{ url: expect.stringContaining(`//${project.ref}.localhost`) }],
  });
  expect(pathsIn(reply)).toContain('/drawer');
});

test('through the console every file of the page is found', async () => {
  const prefix = `/platform/projects/${project.ref}`;
  const reply = await deployment.console({ path: `${prefix}${page}` });
  expect(reply.status).toBe(200);
  for (const [, link = ''] of reply.text.matchAll(/(?:src|href|data-document)="([^"]+)"/g)) {
    const { pathname } = new URL(link, `http://host${prefix}${page}`);
    const file = await deployment.console({ path: pathname });
    expect({ pathname, status: file.status }).toEqual({ pathname, status: 200 });
  }
});
