// Changes of rows as the table editor makes them: exact texts, one transaction, no change of others overwritten.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { operatorHeaders } from './administration.js';

let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.sql(`
    create type mood as enum ('calm', 'wild "one"');
    create table things (
      id bigint primary key generated always as identity,
      big bigint, amount numeric, at timestamptz, took interval, bytes bytea, raw json,
      span tstzrange, words text[], feeling mood, note text,
      double bigint generated always as (big * 2) stored
    );
    create table loose (note text);
    create table pairs (a int, b text, note text, primary key (a, b));
  `);
});
beforeEach(() => project.sql(`truncate things, loose, pairs restart identity`));
afterAll(() => deployment.close());

const editor = ['content.read', 'content.write'] as const;
const change = (table: string, changes: readonly object[]) =>
  project.send({
    method: 'POST',
    path: `/api/admin/rows/${table}`,
    headers: operatorHeaders(deployment, project, [...editor]),
    body: { changes },
  });
const insert = async (values: object): Promise<Record<string, unknown>> => {
  const reply = await change('things', [{ kind: 'insert', values }]);
  expect(reply.status).toBe(200);
  const { rows } = asRecord(reply.body);
  return asRecord(Array.isArray(rows) ? rows[0] : undefined);
};
const notes = () => project.sql('select id::int, note from things order by id');

test.each([
  { name: 'a bigint beyond 2^53', column: 'big', text: '2305843009213693953' },
  { name: 'a numeric', column: 'amount', text: '12345678901234567890.100' },
  { name: 'a timestamp with microseconds', column: 'at', text: '2026-01-02 03:04:05.123456+00' },
  { name: 'an interval', column: 'took', text: '1 year 2 mons 3 days 04:05:06.7' },
  { name: 'bytes', column: 'bytes', text: String.raw`\x00ff10` },
  { name: 'json with the order of its keys', column: 'raw', text: '{"b": 1.0,  "a": 2}' },
  { name: 'an array', column: 'words', text: '{plain,"with, comma",NULL,"NULL",""}' },
  { name: 'an enum', column: 'feeling', text: 'wild "one"' },
  { name: 'an empty text', column: 'note', text: '' },
  { name: 'null', column: 'note', text: null },
])('$name is kept as it was given, and REST returns the same text', async ({ column, text }) => {
  const row = await insert({ [column]: text });
  expect(row[column]).toBe(text);
  const path = `/api/rest/v1/things?select=${column}::text`;
  const headers = operatorHeaders(deployment, project, ['content.read']);
  expect((await project.send({ path, headers })).body).toEqual([{ [column]: text }]);
});

test('all kinds of changes are one transaction, and the answer has the rows in their order', async () => {
  await insert({ note: 'first' });
  await insert({ note: 'second' });
  const reply = await change('things', [
    { kind: 'update', key: { id: '1' }, was: { note: 'first' }, values: { note: 'changed' } },
    { kind: 'delete', key: { id: '2' }, was: { note: 'second' } },
    { kind: 'insert', values: { note: 'third', big: '2' } },
  ]);
  expect(reply.body).toMatchObject({
    rows: [{ id: '1', note: 'changed' }, null, { id: '3', note: 'third', double: '4' }],
  });
  expect(await notes()).toEqual([
    { id: 1, note: 'changed' },
    { id: 3, note: 'third' },
  ]);
});

test('a deleted row returns with the identity that it had', async () => {
  await insert({ note: 'first' });
  await change('things', [{ kind: 'delete', key: { id: '1' } }]);
  await change('things', [{ kind: 'insert', values: { id: '1', note: 'first' } }]);
  expect(await notes()).toEqual([{ id: 1, note: 'first' }]);
});

test('a key of several columns names one row', async () => {
  await project.sql(`insert into pairs values (1, 'x', 'old'), (1, 'y', 'old')`);
  const key = { a: '1', b: 'y' };
  await change('pairs', [{ kind: 'update', key, was: { note: 'old' }, values: { note: 'new' } }]);
  expect(await project.sql('select b, note from pairs order by b')).toEqual([
    { b: 'x', note: 'old' },
    { b: 'y', note: 'new' },
  ]);
});

describe('a row that has changed since it was read', () => {
  test('is a conflict with the current values, and nothing is written', async () => {
    await insert({ note: 'first' });
    await insert({ note: 'second' });
    await project.sql(
      `update things set note = 'theirs' where id = 1; delete from things where id = 2`,
    );
    const reply = await change('things', [
      { kind: 'insert', values: { note: 'third' } },
      { kind: 'update', key: { id: '1' }, was: { note: 'first' }, values: { note: 'mine' } },
      { kind: 'delete', key: { id: '2' }, was: { note: 'second' } },
    ]);
    expect([reply.status, reply.body]).toMatchObject([
      409,
      {
        code: 'ROWS_CHANGED',
        details: {
          conflicts: [
            { change: 1, now: { id: '1', note: 'theirs' } },
            { change: 2, now: null },
          ],
        },
      },
    ]);
    expect(await notes()).toEqual([{ id: 1, note: 'theirs' }]);
  });

  test('is none where others have changed another column', async () => {
    await insert({ note: 'first' });
    await project.sql('update things set big = 7');
    const update = { key: { id: '1' }, was: { note: 'first' }, values: { note: 'mine' } };
    expect((await change('things', [{ kind: 'update', ...update }])).status).toBe(200);
  });
});

test('an error of the database names the change, and nothing is written', async () => {
  const reply = await change('things', [
    { kind: 'insert', values: { note: 'good' } },
    { kind: 'insert', values: { big: 'no number' } },
  ]);
  expect([reply.status, reply.body]).toMatchObject([
    400,
    { code: '22P02', details: { change: 1 } },
  ]);
  expect(await notes()).toEqual([]);
});

test.each([
  {
    name: 'a table that does not exist',
    table: 'thing',
    change: { kind: 'insert' },
    answer: { status: 404, code: 'PGRST205' },
  },
  {
    name: 'an unknown column',
    table: 'things',
    change: { kind: 'insert', values: { nme: 'x' } },
    answer: { status: 400, code: 'PGRST204' },
  },
  {
    name: 'a value that is no text',
    table: 'things',
    change: { kind: 'insert', values: { big: 5 } },
    answer: {
      status: 400,
      code: 'INVALID_INPUT',
      message: 'changes.0.values.big: give a text or null',
    },
  },
  {
    name: 'a generated column',
    table: 'things',
    change: { kind: 'insert', values: { double: '4' } },
    answer: { status: 400, message: 'changes.0.values.double: the column is generated' },
  },
  {
    name: 'an update without the primary key',
    table: 'things',
    change: { kind: 'update', values: { note: 'x' } },
    answer: { status: 400, message: 'changes.0.key: give the primary key: id' },
  },
  {
    name: 'an update in a table without a primary key',
    table: 'loose',
    change: { kind: 'update', key: {}, values: { note: 'x' } },
    answer: { status: 409, code: 'NO_PRIMARY_KEY' },
  },
  {
    name: 'no change at all',
    table: 'things',
    change: undefined,
    answer: { status: 400, code: 'INVALID_INPUT' },
  },
])('$name is refused by name', async ({ table, change: one, answer }) => {
  const reply = await change(table, one ? [one] : []);
  expect(asRecord(reply.body)).toMatchObject(answer);
});

test('an operator without content.write changes nothing', async () => {
  const headers = operatorHeaders(deployment, project, ['content.read']);
  const body = { changes: [{ kind: 'insert', values: { note: 'x' } }] };
  const call = { method: 'POST', path: '/api/admin/rows/things', headers, body } as const;
  expect((await project.send(call)).status).toBe(403);
  expect(await notes()).toEqual([]);
});
