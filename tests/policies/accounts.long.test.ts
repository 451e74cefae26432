// A try shows accounts of users to callers with secrets.manage alone, and the audit log says as whom it was made.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Capability } from '#libs/wire';

import { operatorHeaders, rowsOf } from '../http/administration.js';
import { asRecord } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import { type Lab, openLab, testsPath, tryOut, tryPath } from './lab.js';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
  await lab.project.sql(
    `create function claims() returns json language sql as 'select auth.jwt()::json'`,
  );
});
afterAll(() => lab.close());
beforeEach(() => rowsOf(lab.project, 'delete from platform.policy_tests'));

const send = (
  method: string,
  path: string,
  body: unknown,
  capabilities: readonly Capability[] = ['content.write'],
): Promise<Reply> =>
  lab.project.send({
    method,
    path,
    body,
    headers: operatorHeaders(lab.deployment, lab.project, capabilities),
  });
const request = { kind: 'rpc', function: 'claims', arguments: {} };
const expects = { kind: 'rows', count: 1 };
const newest = async () => {
  const [row] = await rowsOf(
    lab.project,
    'select action, target, before, after from platform.audit_log order by id desc limit 1',
  );
  return row;
};

describe('an operator without secrets.manage', () => {
  test.each([
    { field: 'as.userId', as: () => ({ kind: 'user', userId: lab.ada.id }) },
    { field: 'as.keyId', as: () => ({ kind: 'key', keyId: 'k1' }) },
    { field: 'as.key', as: () => ({ kind: 'key', key: lab.project.secretKey }) },
  ])('tries and saves no caller with $field', async ({ field, as }) => {
    const saved = { name: 'n', as: as(), request, expect: expects };
    const replies = [
      await send('POST', tryPath, { as: as(), request }),
      await send('POST', testsPath, saved),
    ];
    for (const { status, body, text } of replies) {
      expect(status).toBe(403);
      expect(body).toMatchObject({ code: 'CAPABILITY_REQUIRED' });
      expect(asRecord(body)['hint']).toContain(field);
      expect(text).not.toContain('ada@example.org');
    }
    expect(await rowsOf(lab.project, 'select 1 from platform.policy_tests')).toEqual([]);
  });

  test('tries with claims written by hand', async () => {
    const as = { kind: 'claims', role: 'authenticated', claims: { sub: lab.ada.id } };
    const { body } = await send('POST', tryPath, { as, request });
    expect(body).toMatchObject({ outcome: { body: { sub: lab.ada.id } } });
    expect(await newest()).toMatchObject({
      action: 'policies.try',
      target: 'claims()',
      after: { as: { kind: 'claims', role: 'authenticated', sub: lab.ada.id }, request: 'rpc' },
    });
  });

  test('changes no test of a user, and makes none of another one', async () => {
    const user = { kind: 'user', userId: lab.ada.id };
    const ofUser = await send(
      'POST',
      testsPath,
      { name: 'user', as: user, request, expect: expects },
      ['content.write', 'secrets.manage'],
    );
    const ofAnon = await send('POST', testsPath, {
      name: 'anon',
      as: { kind: 'anon' },
      request,
      expect: expects,
    });
    const pathOf = ({ body }: Reply) => `${testsPath}/${String(asRecord(body)['id'])}`;
    const changed = await send('PATCH', pathOf(ofUser), { request: { ...request, function: 'x' } });
    const turned = await send('PATCH', pathOf(ofAnon), { as: user });
    expect([changed.status, turned.status]).toEqual([403, 403]);
  });

  test('runs the other tests; one of a user has failed without being run', async () => {
    const test = (name: string, as: object, expected: object = expects) =>
      send('POST', testsPath, { name, as, request, expect: expected }, [
        'content.write',
        'secrets.manage',
      ]);
    await test('anon', { kind: 'anon' });
    const refused = { kind: 'refused', code: 'CAPABILITY_REQUIRED' };
    await test('user', { kind: 'user', userId: lab.ada.id }, refused);
    const { body } = await send('POST', `${testsPath}/run`, {});
    expect(body).toMatchObject({
      passed: 1,
      failed: 1,
      results: [
        { name: 'anon', passed: true },
        {
          name: 'user',
          passed: false,
          actual: { code: 'CAPABILITY_REQUIRED', message: expect.stringContaining('as.userId') },
        },
      ],
    });
  });
});

test('with secrets.manage a user is tried with the claims', async () => {
  const as = { kind: 'user', userId: lab.ada.id };
  const { body } = await send('POST', tryPath, { as, request }, [
    'content.write',
    'secrets.manage',
  ]);
  expect(body).toMatchObject({ outcome: { body: { email: 'ada@example.org' } } });
  expect((await tryOut(lab, as, request)).status).toBe(200);
});

test('the audit log has the caller and the target of tests that are saved, changed and run', async () => {
  const created = await send('POST', testsPath, {
    name: 'n',
    as: { kind: 'anon' },
    request: { kind: 'select', table: 'closed' },
    expect: expects,
  });
  const anon = { as: { kind: 'anon' }, request: 'select', target: 'closed' };
  expect(await newest()).toMatchObject({ before: null, after: { name: 'n', ...anon } });
  const { id } = asRecord(created.body);
  const claims = { sub: lab.bob.id, secret: 'hidden' };
  const as = { kind: 'claims', role: 'authenticated', claims };
  const values = { body: 'hidden' };
  await send('PATCH', `${testsPath}/${String(id)}`, {
    as,
    request: { kind: 'insert', table: 'notes', values },
  });
  const bob = {
    as: { kind: 'claims', role: 'authenticated', sub: lab.bob.id },
    request: 'insert',
    target: 'notes',
  };
  const changed = await newest();
  expect(changed).toMatchObject({ before: anon, after: bob });
  expect(JSON.stringify(changed)).not.toContain('hidden');
  await send('POST', `${testsPath}/run`, {});
  expect(await newest()).toMatchObject({
    after: { tests: 1, changes: 0, tries: [{ test: id, ...bob }] },
  });
  await send('DELETE', `${testsPath}/${String(id)}`, undefined);
  expect(await newest()).toMatchObject({ before: bob, after: null });
});
