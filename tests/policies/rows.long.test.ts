// The lab tries requests on rows as any caller, and says which rows policies hide and which policy decides.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Lab, openLab, tryOut } from './lab.js';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab.close());

const user = (id: string) => ({ kind: 'user', userId: id });
const allNotes = { kind: 'select', table: 'notes', query: 'order=id' };

describe('a select', () => {
  test('shows a user the rows seen, and each hidden row with what decides', async () => {
    const { status, body } = await tryOut(lab, user(lab.ada.id), allNotes);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      caller: { role: 'authenticated', claims: { sub: lab.ada.id } },
      outcome: { kind: 'answered', status: 200, body: [{ id: 1 }, { id: 4 }] },
      count: 2,
      keys: [{ id: 1 }, { id: 4 }],
      table: { hasRls: true, isSecured: true, grants: ['delete', 'insert', 'select', 'update'] },
      hidden: {
        count: 2,
        isBounded: false,
        rows: [
          { row: { id: 2 }, decision: { kind: 'restrictive', policy: 'unlocked' } },
          {
            row: { id: 3, body: 'private' },
            decision: { kind: 'no-permissive', policies: ['own_notes', 'shared_notes'] },
            verdicts: [
              { policy: 'own_notes', result: 'false' },
              { policy: 'shared_notes', result: 'false' },
              { policy: 'unlocked', isPermissive: false, result: 'true' },
            ],
          },
        ],
      },
    });
  });

  test('sees the same rows as the request itself', async () => {
    const call = { method: 'GET', path: '/rest/v1/notes?order=id' } as const;
    const real = await lab.project.as(lab.ada, call);
    const tried = await tryOut(lab, user(lab.ada.id), allNotes);
    expect(tried.body).toMatchObject({ outcome: { body: real.body } });
  });

  test('shows anon that a policy is null for it', async () => {
    const { body } = await tryOut(lab, { kind: 'anon' }, { ...allNotes, query: 'id=eq.3' }, [
      {
        kind: 'save',
        table: 'notes',
        name: 'mine',
        command: 'select',
        using: 'owner = auth.uid()',
      },
    ]);
    expect(body).toMatchObject({
      caller: { role: 'anon' },
      count: 0,
      hidden: { count: 1, rows: [{ row: { id: 3 }, decision: { kind: 'no-permissive' } }] },
    });
    expect(JSON.stringify(body)).toContain(
      '"policy":"mine","command":"select","clause":"using","isPermissive":true,"result":"null"',
    );
  });

  test('says that no policy applies', async () => {
    const request = { kind: 'select', table: 'closed' };
    expect((await tryOut(lab, { kind: 'anon' }, request)).body).toMatchObject({
      outcome: { kind: 'answered', body: [] },
      hidden: { count: 2, rows: [{ decision: { kind: 'no-policy', command: 'select' } }, {}] },
      policies: [],
    });
  });

  test('names a policy that raises an error, and the error that the caller would get', async () => {
    const { body } = await tryOut(lab, { kind: 'anon' }, { ...allNotes, query: 'id=eq.3' }, [
      { kind: 'save', table: 'notes', name: 'odd', command: 'select', using: '1 / (id - 3) > 0' },
    ]);
    expect(body).toMatchObject({
      outcome: { kind: 'refused', status: 400, code: '22012' },
      count: null,
      hidden: {
        count: null,
        rows: [
          {
            row: { id: 3 },
            decision: { kind: 'error', policy: 'odd', message: 'division by zero' },
          },
        ],
      },
    });
  });

  test('uses claims that are written by hand', async () => {
    const as = { kind: 'claims', role: 'authenticated', claims: { sub: lab.bob.id } };
    expect((await tryOut(lab, as, allNotes)).body).toMatchObject({
      caller: { role: 'authenticated', claims: { sub: lab.bob.id, role: 'authenticated' } },
      keys: [{ id: 3 }, { id: 4 }],
    });
  });

  test('hides nothing from the secret key', async () => {
    const as = { kind: 'key', key: lab.project.secretKey };
    expect((await tryOut(lab, as, allNotes)).body).toMatchObject({
      caller: { role: 'service_role' },
      count: 4,
      hidden: null,
      policies: [],
    });
  });

  test('is anon for the publishable key', async () => {
    const as = { kind: 'key', key: lab.project.publishableKey };
    expect((await tryOut(lab, as, allNotes)).body).toMatchObject({
      caller: { role: 'anon' },
      keys: [{ id: 4 }],
    });
  });

  test('says that the role has no right on the table', async () => {
    await lab.project.sql('revoke select on closed from anon');
    const request = { kind: 'select', table: 'closed' };
    expect((await tryOut(lab, { kind: 'anon' }, request)).body).toMatchObject({
      outcome: { kind: 'refused', code: '42501' },
      table: { grants: ['delete', 'insert', 'update'] },
    });
    await lab.project.sql('grant select on closed to anon');
  });

  test('takes filters, embeds and limits as REST has them', async () => {
    const query = 'select=id&or=(id.eq.1,id.eq.3)&limit=1';
    expect((await tryOut(lab, user(lab.ada.id), { ...allNotes, query })).body).toMatchObject({
      outcome: { body: [{ id: 1 }] },
      hidden: { count: 1, rows: [{ row: { id: 3 } }] },
    });
  });
});

describe('a write', () => {
  test('of a row that a check refuses names the policy and the new row', async () => {
    const request = {
      kind: 'insert',
      table: 'notes',
      values: { id: 9, owner: lab.bob.id, body: 'x' },
    };
    expect((await tryOut(lab, user(lab.ada.id), request)).body).toMatchObject({
      outcome: { kind: 'refused', status: 403, code: '42501' },
      refusedRows: [
        {
          row: { id: 9, locked: false },
          decision: { kind: 'no-permissive', policies: ['own_notes'], clause: 'check' },
        },
      ],
    });
  });

  test('takes defaults of the caller', async () => {
    const request = { kind: 'insert', table: 'notes', values: { id: 9, body: 'x' } };
    expect((await tryOut(lab, user(lab.ada.id), request)).body).toMatchObject({
      outcome: { kind: 'answered', status: 201 },
      count: 1,
      refusedRows: [],
    });
  });

  test('says which rows an update does not reach', async () => {
    const request = { kind: 'update', table: 'notes', query: 'id=gt.0', values: { body: 'new' } };
    expect((await tryOut(lab, user(lab.ada.id), request)).body).toMatchObject({
      outcome: { kind: 'answered' },
      count: 1,
      hidden: {
        count: 3,
        rows: [
          { row: { id: 2 }, decision: { kind: 'restrictive', command: 'select' } },
          { row: { id: 3 }, decision: { kind: 'no-permissive', command: 'update' } },
          { row: { id: 4 }, decision: { kind: 'no-permissive', command: 'update' } },
        ],
      },
    });
  });

  test('says which new version of a row a check refuses', async () => {
    const request = {
      kind: 'update',
      table: 'notes',
      query: 'id=eq.1',
      values: { owner: lab.bob.id },
    };
    expect((await tryOut(lab, user(lab.ada.id), request)).body).toMatchObject({
      outcome: { kind: 'refused', code: '42501' },
      refusedRows: [{ row: { id: 1, owner: lab.bob.id }, decision: { clause: 'check' } }],
    });
  });

  test('says which rows a deletion does not reach', async () => {
    const request = { kind: 'delete', table: 'notes', query: 'id=in.(1,3)' };
    expect((await tryOut(lab, user(lab.ada.id), request)).body).toMatchObject({
      count: 1,
      hidden: { count: 1, rows: [{ row: { id: 3 } }] },
    });
  });
});

test('a call answers what the function returns', async () => {
  await lab.project.sql(
    `create function whoami(greeting text) returns text language sql stable as $$ select greeting || ' ' || auth.role() $$`,
  );
  const request = { kind: 'rpc', function: 'whoami', arguments: { greeting: 'hello' } };
  expect((await tryOut(lab, user(lab.ada.id), request)).body).toMatchObject({
    outcome: { kind: 'answered', status: 200, body: 'hello authenticated' },
    hidden: null,
  });
});

test.each([
  {
    name: 'a user who does not exist',
    as: user('00000000-0000-4000-8000-000000000000'),
    status: 404,
  },
  {
    name: 'an unknown key',
    as: { kind: 'key', key: 'svc_secret_unknown' },
    status: 400,
    field: 'as.key',
  },
  { name: 'a token', as: { kind: 'key', key: 'token' }, status: 400, field: 'as.key' },
  { name: 'an unknown key id', as: { kind: 'key', keyId: 'no' }, status: 400, field: 'as.keyId' },
  { name: 'an unknown kind', as: { kind: 'root' }, status: 400, field: 'as.kind' },
  {
    name: 'an unknown role',
    as: { kind: 'claims', role: 'postgres' },
    status: 400,
    field: 'as.role',
  },
  {
    name: 'another role among the claims',
    as: { kind: 'claims', role: 'anon', claims: { role: 'service_role' } },
    status: 400,
    field: 'as.claims.role',
  },
  {
    name: 'claims of more than 8 KB',
    as: { kind: 'claims', role: 'anon', claims: { a: 'x'.repeat(8_192) } },
    status: 400,
    field: 'as.claims',
  },
  { name: 'an unknown field', as: { kind: 'anon', x: 1 }, status: 400, field: 'as.x' },
])('$name is refused', async ({ as, status, field }) => {
  const reply = await tryOut(lab, as, allNotes);
  expect(reply.status).toBe(status);
  if (field !== undefined) expect(reply.text).toContain(field);
});
