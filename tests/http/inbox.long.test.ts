// The development inbox: mails kept in the project's database, read by whoever may read credentials.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import pg from 'pg';

import { type InboxMail, keepMail } from '#libs/project-runtime';
import { deriveKey, signAssertion } from '#libs/secrets';
import { CAPABILITIES, type Capability } from '#libs/wire';

import { asRecord, asSuperuser, Deployment, testDatabaseUrl } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let engine: pg.Client;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  const url = new URL(testDatabaseUrl());
  url.pathname = `/${project.database}`;
  engine = new pg.Client(url.href);
  await engine.connect();
  // As the role that keeps mails, with its rights and no more.
  await engine.query(`set role ${project.login('engine')}`);
});
afterAll(async () => {
  await engine.end();
  await deployment.close();
});
beforeEach(() => asSuperuser('delete from platform.inbox', { database: project.database }));

const mail: InboxMail = {
  kind: 'emailOtp',
  to: 'ada@example.org',
  subject: '123456 is your code',
  text: 'Enter 123456',
  html: '<script>alert(1)</script>',
};

async function keep(...mails: readonly Partial<InboxMail>[]): Promise<void> {
  const tx = {
    query: async (text: string, values: readonly unknown[] = []) => {
      const { rows, rowCount } = await engine.query(text, [...values]);
      return { rows, rowCount: rowCount ?? 0 };
    },
  };
  for (const each of mails) await keepMail(tx, { ...mail, ...each });
}

const list = (query = '', path = '/api/admin/inbox') =>
  project.asService({ path: `${path}${query}` });

/** Subjects of a page, its total, and the id of its last mail. */
async function page(query: string): Promise<{ subjects: unknown[]; total: unknown; last: string }> {
  const reply = await list(query);
  expect(reply.status).toBe(200);
  const { mails, total } = asRecord(reply.body);
  if (!Array.isArray(mails)) throw new Error(reply.text);
  const subjects = mails.map((each: unknown) => asRecord(each)['subject']);
  return { subjects, total, last: String(asRecord(mails.at(-1) ?? {})['id']) };
}

describe('reading', () => {
  test.each(['/api/admin/inbox', '/admin/inbox'])(
    '%s lists mails without their content',
    async (path) => {
      await keep({});
      const reply = await list('', path);
      expect(reply.body).toEqual({
        mails: [
          {
            id: expect.stringMatching(/^\d+$/),
            kind: 'emailOtp',
            recipient: 'ada@example.org',
            subject: '123456 is your code',
            created_at: expect.stringMatching(/^\d{4}-.*Z$/),
          },
        ],
        total: 1,
        transport: 'inbox',
      });
      expect(reply.headers['cache-control']).toBe('no-store');
    },
  );

  test('the newest come first, page by page, with the number of all', async () => {
    await keep(...['one', 'two', 'three', 'four', 'five'].map((subject) => ({ subject })));
    const first = await page('?limit=2');
    expect(first).toMatchObject({ subjects: ['five', 'four'], total: 5 });
    const second = await page(`?limit=2&before=${first.last}`);
    expect(second).toMatchObject({ subjects: ['three', 'two'], total: 5 });
    expect(await page(`?before=${second.last}`)).toMatchObject({ subjects: ['one'], total: 5 });
  });

  test('one recipient alone, in any case of letters', async () => {
    await keep(
      { to: 'Ada@Example.org', subject: 'hers' },
      { to: 'ada@example.orgs', subject: 'not' },
    );
    expect(await page('?recipient=ADA@example.ORG')).toMatchObject({
      subjects: ['hers'],
      total: 1,
    });
    expect(await page('?recipient=%25')).toMatchObject({ subjects: [], total: 0 });
  });

  test('a mail has its text and its HTML, as JSON and never as a page', async () => {
    await keep({});
    const { last } = await page('');
    const reply = await list(`/${last}`);
    expect(reply.body).toMatchObject({ id: last, text: mail.text, html: mail.html });
    expect(reply.headers).toMatchObject({
      'content-type': expect.stringMatching(/^application\/json/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  test.each(['0', '9223372036854775807', '9223372036854775808', '-1', '1.5', 'x', '1%20or%20true'])(
    '%s is no mail',
    async (id) => {
      const reply = await list(`/${id}`);
      expect(reply.status).toBe(404);
      expect(reply.body).toMatchObject({ code: 'KEPT_MAIL_NOT_FOUND' });
    },
  );

  test.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'before=x',
    'before=-1',
    'offset=1',
    'recipient=a&recipient=b',
  ])('the query %s is refused', async (query) => {
    expect((await list(`?${query}`)).status).toBe(400);
  });
});

describe('keeping', () => {
  test('only the last 200 stay', async () => {
    await keep(...Array.from({ length: 203 }, (_, index) => ({ subject: `mail ${index}` })));
    const kept = await page('?limit=200');
    expect(kept.total).toBe(200);
    expect(kept.subjects[0]).toBe('mail 202');
    expect(kept.subjects.at(-1)).toBe('mail 3');
  });

  test('what PostgreSQL cannot hold is left out of the text', async () => {
    await keep({ text: 'a\u0000b' });
    const { last } = await page('');
    expect((await list(`/${last}`)).body).toMatchObject({ text: 'ab' });
  });

  test('deleting leaves nothing', async () => {
    await keep({}, {});
    const reply = await project.asService({ method: 'DELETE', path: '/api/admin/inbox' });
    expect(reply.status).toBe(204);
    expect(await page('')).toMatchObject({ subjects: [], total: 0 });
  });
});

describe('what stands in a mail signs people in, so', () => {
  const calls = [
    { path: '/api/admin/inbox' },
    { path: '/admin/inbox/1' },
    { method: 'DELETE', path: '/api/admin/inbox' },
  ];
  const asOperator = (capabilities: readonly Capability[]) => ({
    'x-rowhouse-operator': signAssertion(deriveKey(deployment.ground.masterKey, 'assertions'), {
      ref: project.ref,
      operatorId: 'operator-1',
      email: 'operator@example.org',
      capabilities,
      expiresAt: Math.floor(Date.now() / 1000) + 50,
    }),
  });

  test.each(calls)('nobody without rights reaches $path', async (call) => {
    await keep({});
    const user = await project.signUp(`u${Date.now()}@example.org`);
    const others = CAPABILITIES.filter((name) => name !== 'secrets.manage');
    expect((await project.send(call)).status).toBe(401);
    expect((await project.as(user, call)).body).toMatchObject({ code: 'ADMIN_REQUIRED' });
    const operator = await project.send({ ...call, headers: asOperator(others) });
    expect(operator.body).toMatchObject({ code: 'CAPABILITY_REQUIRED' });
    expect(await page('')).toMatchObject({ total: 1 });
  });

  test('an operator with secrets.manage does, also through the console', async () => {
    await keep({});
    const direct = await project.send({
      path: '/api/admin/inbox',
      headers: asOperator(['content.read', 'secrets.manage']),
    });
    expect(direct.body).toMatchObject({ total: 1 });
    const path = `/platform/projects/${project.ref}/api/admin/inbox`;
    expect((await deployment.console({ path })).body).toMatchObject({ total: 1 });
  });

  test('neither the owner of the project nor a role of requests reads the table', async () => {
    await expect(project.sql('select * from platform.inbox')).rejects.toThrow('42501');
    for (const role of ['anon', 'authenticated', 'service_role']) {
      const reading = asSuperuser(`set role ${role}; select * from platform.inbox`, {
        database: project.database,
      });
      await expect(reading).rejects.toThrow('permission denied');
    }
  });
});
