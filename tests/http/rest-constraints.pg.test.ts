// Constraints beyond the plain ones: what a deletion breaks.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.sql(`
    create table parents (id int primary key);
    create table restricting (parent int references parents on delete restrict);
    create table not_nulls (parent int not null references parents on delete set null);
    create table checks (parent int check (parent is not null) references parents on delete set null);
    create table raised (parent int references parents on delete cascade);
    create function refuse() returns trigger language plpgsql as
      $$begin raise exception 'kept' using errcode = 'P0001'; end$$;
    create trigger refuse before delete on raised for each row execute function refuse();
    insert into parents select generate_series(1, 4);
    insert into restricting values (1); insert into not_nulls values (2);
    insert into checks values (3); insert into raised values (4);`);
});
afterAll(() => deployment.close());

const rest = (method: string, path: string, body?: unknown, prefer = 'return=minimal') =>
  project.asService({
    method,
    path: `/rest/v1/${path}`,
    headers: { prefer },
    ...(body !== undefined && { body }),
  });

describe('a deletion that breaks a rule of other rows', () => {
  test.each([
    { name: 'restrict', id: 1, status: 409, code: /^23(001|503)$/ },
    { name: 'not null', id: 2, status: 409, code: /^23502$/ },
    { name: 'a check', id: 3, status: 409, code: /^23514$/ },
    { name: 'an exception of a trigger', id: 4, status: 400, code: /^P0001$/ },
  ])('$name is $status', async ({ id, status, code }) => {
    const refused = { code: expect.stringMatching(code), status };
    const removal = { method: 'DELETE', model: 'parents', query: `id=eq.${id}` };
    const key = { id: String(id) };
    const replies = [
      await rest('DELETE', `parents?id=eq.${id}`),
      await rest('POST', 'batch', { operations: [removal] }),
      await project.asService({
        method: 'POST',
        path: '/api/admin/rows/parents',
        body: { changes: [{ kind: 'delete', key, was: key }] },
      }),
    ];
    for (const reply of replies)
      expect([reply.status, reply.body]).toMatchObject([status, refused]);
    expect(await project.sql('select 1 from parents where id = $1', [id])).toHaveLength(1);
  });

  test('a value of the caller that breaks one is 400', async () => {
    const body = { parent: null };
    expect((await rest('POST', 'not_nulls', body)).status).toBe(400);
    expect((await rest('PATCH', 'not_nulls?parent=eq.2', body)).status).toBe(400);
  });
});
