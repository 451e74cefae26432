// How long the list of policies may be, and the saved tests together.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { asRecord } from '../support/deployment.js';
import { type Lab, openLab, testsPath } from './lab.js';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
  // A control character has six bytes in JSON.
  await lab.project.sql(`
    create schema heavy;
    create table heavy.notes (note text);
    create schema long;
    create table long.notes (note text);
    do $$ begin
      for n in 1..45 loop
        execute format('create policy p%s on heavy.notes using (note <> %L)', n, repeat(chr(1), 70000));
      end loop;
      execute format('create policy one on long.notes using (note <> %L) with check (note <> %1$L)', repeat('x', 70000));
      execute format('comment on policy one on long.notes is %L', repeat('é', 8193));
    end $$;`);
});
afterAll(() => lab.close());

describe('the list of policies', () => {
  const list = (schema: string) =>
    lab.project.asService({ path: `/api/admin/policies?schema=${schema}` });

  test('is refused above 16 MB', async () => {
    const reply = await list('heavy');
    expect([reply.status, reply.body]).toMatchObject([400, { code: 'RESULT_TOO_LARGE' }]);
  });

  test('has the beginning of long expressions and comments', async () => {
    const reply = await list('long');
    expect(reply.body).toMatchObject({
      tables: [
        {
          schema: 'long',
          name: 'notes',
          policies: [
            {
              using: expect.stringMatching(/^\(note <> 'x{65000,}…$/),
              check: expect.stringMatching(/^\(note <> 'x{65000,}…$/),
              comment: `${'é'.repeat(8192)}…`,
            },
          ],
        },
      ],
    });
  });

  test('of a schema without tables is empty', async () => {
    expect((await list('none')).body).toEqual({ tables: [] });
  });
});

describe('the saved tests', () => {
  const testOf = (name: string, length: number) => ({
    name,
    as: { kind: 'anon' },
    request: { kind: 'insert', table: 'notes', values: { id: 50, body: 'x'.repeat(length) } },
    expect: { kind: 'refused', code: '42501' },
  });
  const save = (name: string, length: number) =>
    lab.project.asService({ method: 'POST', path: testsPath, body: testOf(name, length) });
  const names = async () => {
    const { tests } = (await lab.project.asService({ path: testsPath })).body as {
      readonly tests: readonly { readonly name: string }[];
    };
    return tests.map(({ name }) => name);
  };

  test('have at most 4 MB together, when they are saved and when they are changed', async () => {
    const first = Array.from({ length: 16 }, (_, at) => String.fromCharCode(112 - at));
    for (const name of first) expect((await save(name, 250_000)).status).toBe(201);
    const refusal = [409, { code: 'POLICY_TESTS_TOO_LARGE' }];
    const next = await save('q', 250_000);
    expect([next.status, next.body]).toMatchObject(refusal);
    const small = asRecord((await save('r', 1)).body);
    const path = `${testsPath}/${String(small['id'])}`;
    const body = { request: testOf('r', 250_000).request };
    const changed = await lab.project.asService({ method: 'PATCH', path, body });
    expect([changed.status, changed.body]).toMatchObject(refusal);
    expect(await names()).toEqual([...first.toReversed(), 'r']);
  });
});
