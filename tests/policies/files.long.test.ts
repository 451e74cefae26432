// The lab asks the policies of files by the code of the storage routes, and lists the policies of all tables.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { asRecord } from '../support/deployment.js';
import { type Lab, openLab, tryOut } from './lab.js';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
  const body = { slug: 'papers', name: 'Papers' };
  await lab.project.asService({ method: 'POST', path: '/api/admin/storage/buckets', body });
  const reply = await lab.project.as(lab.ada, {
    method: 'PUT',
    path: '/api/files/object/papers/ada.txt',
    body: 'a text of Ada',
    headers: { 'content-type': 'text/plain' },
  });
  expect(reply.status).toBeLessThan(300);
});
afterAll(() => lab.close());

const file = (access: string, key = 'ada.txt') => ({
  kind: 'file',
  access,
  bucket: 'papers',
  key,
  size: 5,
  mediaType: 'text/plain',
});
const as = (id: string) => ({ kind: 'user', userId: id });

test.each(['read', 'write', 'delete'])('the owner of a file may %s it', async (access) => {
  const { body } = await tryOut(lab, as(lab.ada.id), file(access));
  expect(body).toMatchObject({ outcome: { kind: 'answered' }, count: 1 });
});

test.each([
  { access: 'read', status: 404, code: 'FILE_NOT_FOUND', list: 'hidden' },
  { access: 'delete', status: 404, code: 'FILE_NOT_FOUND', list: 'hidden' },
  { access: 'write', status: 403, code: '42501', list: 'refusedRows' },
])(
  'another user is refused to $access it, with the policies',
  async ({ access, status, code, list }) => {
    const { body } = await tryOut(lab, as(lab.bob.id), file(access));
    expect(body).toMatchObject({ outcome: { kind: 'refused', status, code } });
    expect(JSON.stringify(asRecord(body)[list])).toMatch(/"kind":"no-(?:permissive|policy)"/);
  },
);

test('a visitor is refused', async () => {
  const { body } = await tryOut(lab, { kind: 'anon' }, file('read'));
  expect(body).toMatchObject({ outcome: { kind: 'refused', code: 'UNAUTHORIZED' } });
});

test('a policy of files that is tried decides', async () => {
  const change = {
    kind: 'save',
    schema: 'storage',
    table: 'files',
    name: 'papers_for_all',
    command: 'select',
    using: `bucket = 'papers'`,
  };
  const { body } = await tryOut(lab, as(lab.bob.id), file('read'), [change]);
  expect(body).toMatchObject({ outcome: { kind: 'answered' } });
  expect((await tryOut(lab, as(lab.bob.id), file('read'))).body).toMatchObject({
    outcome: { kind: 'refused' },
  });
});

test('the list has tables, rights, columns and policies, those of files and messages too', async () => {
  await lab.project.sql(`comment on policy own_notes on notes is 'Each user has notes'`);
  const { body } = await lab.project.asService({ method: 'GET', path: '/api/admin/policies' });
  const { tables } = body as { readonly tables: readonly Record<string, unknown>[] };
  expect(tables.map(({ schema, name }) => `${String(schema)}.${String(name)}`)).toEqual(
    expect.arrayContaining(['public.notes', 'storage.files', 'realtime.messages']),
  );
  expect(tables.map(({ schema }) => schema)).not.toContain('auth');
  expect(tables.find(({ name }) => name === 'notes')).toMatchObject({
    hasRls: true,
    isExposed: true,
    primaryKey: ['id'],
    grants: { anon: ['delete', 'insert', 'select', 'update'] },
    policies: [
      {
        name: 'own_notes',
        command: 'all',
        roles: ['authenticated'],
        using: '(owner = ( SELECT auth.uid() AS uid))',
        comment: 'Each user has notes',
      },
      { name: 'shared_notes', roles: ['public'] },
      { name: 'unlocked', isPermissive: false },
    ],
  });
  const path = '/api/admin/policies?schema=storage';
  const ofStorage = await lab.project.asService({ method: 'GET', path });
  expect(ofStorage.body).toMatchObject({ tables: [{ schema: 'storage', name: 'files' }] });
});
