// Tries are saved as tests, and run together, also with changes of policies that are not saved.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { testPolicies } from '../../bin/test-policies.js';
import { auditOf, operatorHeaders } from '../http/administration.js';
import { asRecord } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import { type Lab, openLab, testsPath } from './lab.js';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab.close());
beforeEach(async () => {
  const { body } = await lab.project.asService({ method: 'GET', path: testsPath });
  const { tests } = body as { readonly tests: readonly { readonly id: string }[] };
  for (const { id } of tests) {
    await lab.project.asService({ method: 'DELETE', path: `${testsPath}/${id}` });
  }
});

const post = (path: string, body: unknown): Promise<Reply> =>
  lab.project.asService({ method: 'POST', path, body });
const ada = () => ({ kind: 'user', userId: lab.ada.id });

const reads = () => ({
  name: 'Ada reads her notes and shared ones',
  as: ada(),
  request: { kind: 'select', table: 'notes' },
  expect: { kind: 'keys', keys: [{ id: 4 }, { id: 1 }] },
});
const adds = {
  name: 'Visitors add no notes',
  as: { kind: 'anon' },
  request: { kind: 'insert', table: 'notes', values: { id: 50, body: 'spam' } },
  expect: { kind: 'refused', code: '42501' },
};

test('a test is saved, changed and deleted', async () => {
  const created = await post(testsPath, adds);
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject(adds);
  const id = String(asRecord(created.body)['id']);
  const path = `${testsPath}/${id}`;
  const body = { expect: { kind: 'rows', count: 0 } };
  const changed = await lab.project.asService({ method: 'PATCH', path, body });
  expect(changed.body).toMatchObject({ ...adds, ...body });
  const deleted = await lab.project.asService({ method: 'DELETE', path });
  expect(deleted.status).toBe(204);
  expect((await lab.project.asService({ method: 'DELETE', path })).body).toMatchObject({
    code: 'POLICY_TEST_NOT_FOUND',
  });
  const log = await auditOf(lab.project, id);
  expect(log.map(({ action }) => action)).toEqual([
    'policyTest.create',
    'policyTest.update',
    'policyTest.delete',
  ]);
});

test('all tests run, and each says what was expected and what it got', async () => {
  await post(testsPath, reads());
  await post(testsPath, adds);
  await post(testsPath, { ...adds, name: 'Wrong', expect: { kind: 'rows', count: 1 } });
  const run = await post(`${testsPath}/run`, {});
  expect(run.status).toBe(200);
  const [entry] = (await auditOf(lab.project, 'policy tests')).slice(-1);
  expect(entry).toMatchObject({ action: 'policyTest.run', after: { tests: 3, changes: 0 } });
  expect(run.body).toMatchObject({
    passed: 2,
    failed: 1,
    results: [
      { name: 'Ada reads her notes and shared ones', passed: true },
      { name: 'Visitors add no notes', passed: true },
      {
        name: 'Wrong',
        passed: false,
        expected: { kind: 'rows', count: 1 },
        actual: { kind: 'refused', code: '42501' },
      },
    ],
  });
});

test('a run with a changed policy shows what the change would break', async () => {
  await post(testsPath, reads());
  const policies = [{ kind: 'drop', table: 'notes', name: 'shared_notes' }];
  expect((await post(`${testsPath}/run`, { policies })).body).toMatchObject({
    failed: 1,
    results: [{ actual: { kind: 'answered', keys: [{ id: 1 }] } }],
  });
  expect((await post(`${testsPath}/run`, {})).body).toMatchObject({ passed: 1 });
});

test('a test of a user who is gone fails', async () => {
  await post(testsPath, { ...reads(), as: { kind: 'user', userId: 'gone' } });
  expect((await post(`${testsPath}/run`, {})).body).toMatchObject({
    failed: 1,
    results: [{ actual: { kind: 'refused', code: 'IMPERSONATED_USER_NOT_FOUND' } }],
  });
});

describe('refused is', () => {
  test.each([
    {
      name: 'a second test of a name',
      body: () => adds,
      status: 409,
      word: 'POLICY_TEST_NAME_TAKEN',
    },
    {
      name: 'the text of a key',
      body: () => ({ ...adds, name: 'k', as: { kind: 'key', key: lab.project.secretKey } }),
      status: 400,
      word: 'as.key',
    },
    {
      name: 'an unknown expectation',
      body: () => ({ ...adds, name: 'e', expect: { kind: 'luck' } }),
      status: 400,
      word: 'expect.kind',
    },
    {
      name: 'an unknown request',
      body: () => ({ ...adds, name: 'r', request: { kind: 'truncate' } }),
      status: 400,
      word: 'request.kind',
    },
  ])('$name', async ({ body, status, word }) => {
    await post(testsPath, adds);
    const reply = await post(testsPath, body());
    expect(reply.status).toBe(status);
    expect(reply.text).toContain(word);
  });

  test('an operator who may read no rows', async () => {
    const headers = operatorHeaders(lab.deployment, lab.project, ['content.read']);
    const call = { path: testsPath, headers } as const;
    expect((await lab.project.send({ ...call, method: 'GET' })).status).toBe(403);
    expect((await lab.project.send({ ...call, method: 'POST', body: adds })).status).toBe(403);
  });
});

describe('rowhouse test policies', () => {
  async function run() {
    let output = '';
    let complaint = '';
    const url = new URL(lab.project.apiOrigin);
    url.hostname = lab.project.host;
    const code = await testPolicies([lab.project.ref], {
      secretKey: lab.project.secretKey,
      addressOf: () => url,
      print: (text) => (output += text),
      complain: (text) => (complaint += text),
    });
    return { code, output, complaint };
  }

  test('prints each test and ends with 0 when all pass', async () => {
    await post(testsPath, adds);
    expect(await run()).toEqual({
      code: 0,
      output: 'ok      Visitors add no notes\n1 passed, 0 failed\n',
      complaint: '',
    });
  });

  test('prints no control characters of a name', async () => {
    await post(testsPath, { ...adds, name: 'Ada\u001b[2J\u009b1A adds' });
    const { code, output } = await run();
    expect({ code, output }).toEqual({
      code: 0,
      output: 'ok      Ada\ufffd[2J\ufffd1A adds\n1 passed, 0 failed\n',
    });
  });

  test('ends with 1 when a test fails', async () => {
    await post(testsPath, { ...adds, expect: { kind: 'rows', count: 1 } });
    const { code, output } = await run();
    expect(code).toBe(1);
    expect(output).toContain(
      'FAILED  Visitors add no notes: expected {"kind":"rows","count":1}, got',
    );
    expect(output).toContain('"code":"42501"');
  });
});
