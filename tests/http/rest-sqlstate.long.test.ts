// The spec leaves the mapping of SQLSTATE failures open: what a failure that PostgreSQL reports becomes.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { Observatory } from './observatory.js';

let sky: Observatory;

beforeAll(async () => {
  const raising = (name: string, code: string, message: string) =>
    `create function ${name}() returns text language plpgsql as
      $$ begin raise exception using errcode = '${code}', message = '${message}'; end $$;`;
  sky = await Observatory.open(`
    create domain positive as int check (value > 0);
    create table strict (
      id int primary key, name text not null, age positive, size varchar(3),
      twin int unique, parent int references strict (id),
      constraint short check (length(name) < 10));
    create policy everybody on strict using (true);
    ${raising('deadlocked', '40P01', 'a deadlock')}
    ${raising('serialization', '40001', 'at the same time')}
    ${raising('resources', '53200', 'out of memory: secret')}
    ${raising('too_many', '53300', 'too many connections: secret')}
    ${raising('auth_failure', '28000', 'no such role')}
    ${raising('conflict', 'PT409', 'taken')}
    ${raising('nothing_found', 'P0002', 'no rows')}
    ${raising('plain', 'P0001', 'because')}
    ${raising('own_code', 'ABCDE', 'a code of the project')}
    create function divide(a int, b int) returns int immutable language sql as 'select a / b';
    create function calls_missing() returns text language plpgsql as
      $$ begin return nothing_of_this_name(); end $$;
    create function reads_missing() returns text language plpgsql as
      $$ begin return (select 1 from no_table_of_this_name); end $$;`);
});
beforeEach(() =>
  sky.project.sql(`truncate strict; insert into strict (id, name, twin) values (1, 'one', 1)`),
);
afterAll(() => sky.close());

const insert = (body: unknown) => ({ method: 'POST', path: 'strict', body });

interface Row {
  readonly name: string;
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly status: number;
  readonly code: string;
}

const expectError = async ({ method = 'GET', path, body, status, code }: Row) => {
  const reply = await sky.send(method, path, body === undefined ? {} : { body });
  expect(reply.status).toBe(status);
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(reply.body).toMatchObject({ code, status });
  expect(reply.text).not.toMatch(/row_to_json|json_to_record|"public"/);
  expect(await sky.project.sql('select id, name from strict')).toEqual([{ id: 1, name: 'one' }]);
};

describe('SQLSTATE by class', () => {
  test.each<Row>([
    { name: 'a duplicate key', ...insert({ id: 1, name: 'x' }), status: 409, code: '23505' },
    {
      name: 'a missing parent',
      ...insert({ id: 2, name: 'x', parent: 9 }),
      status: 409,
      code: '23503',
    },
    { name: 'null where there must be a value', ...insert({ id: 2 }), status: 400, code: '23502' },
    { name: 'a check', ...insert({ id: 2, name: 'much too long' }), status: 400, code: '23514' },
    {
      name: 'a check of a domain',
      ...insert({ id: 2, name: 'x', age: -1 }),
      status: 400,
      code: '23514',
    },
    {
      name: 'a text that is too long',
      ...insert({ id: 2, name: 'x', size: 'abcd' }),
      status: 400,
      code: '22001',
    },
    { name: 'no number', ...insert({ id: 'x', name: 'x' }), status: 400, code: '22P02' },
    {
      name: 'a number out of range',
      ...insert({ id: 1e12, name: 'x' }),
      status: 400,
      code: '22003',
    },
    { name: 'division by zero', path: 'rpc/divide?a=1&b=0', status: 400, code: '22012' },
    { name: 'an exception of a function', path: 'rpc/plain', status: 400, code: 'P0001' },
    { name: 'no data found', path: 'rpc/nothing_found', status: 404, code: 'P0002' },
    { name: 'PT and a status', path: 'rpc/conflict', status: 409, code: 'PT409' },
    { name: 'a deadlock', path: 'rpc/deadlocked', status: 409, code: '40P01' },
    { name: 'serialization', path: 'rpc/serialization', status: 409, code: '40001' },
    { name: 'a role that may not', path: 'rpc/auth_failure', status: 403, code: '28000' },
    {
      name: 'a function that calls what is not there',
      path: 'rpc/calls_missing',
      status: 404,
      code: '42883',
    },
    {
      name: 'a function that reads what is not there',
      path: 'rpc/reads_missing',
      status: 404,
      code: '42P01',
    },
    { name: 'resources', path: 'rpc/resources', status: 503, code: 'DATABASE_UNAVAILABLE' },
    { name: 'a code of the project itself', path: 'rpc/own_code', status: 400, code: 'ABCDE' },
  ])('$name: $status $code', expectError);

  test('503 says when to try again, and does not tell what the server said', async () => {
    const reply = await sky.get('rpc/too_many');
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '1']);
    expect(reply.text).not.toContain('secret');
  });

  test('an exception keeps its message', async () => {
    expect((await sky.get('rpc/plain')).body).toMatchObject({ message: 'because' });
  });
});
