// Where in a script an error of the SQL editor arose.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { operatorHeaders } from './administration.js';

const path = '/api/admin/sql';
let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.asService({
    method: 'POST',
    path,
    body: {
      query: `create table parents (id int primary key);
        create table children (id int primary key, parent int references parents (id)
          deferrable initially deferred)`,
    },
  });
});
afterAll(() => deployment.close());

const asOwner = () => ({ apikey: project.secretKey });
const onRows = () => operatorHeaders(deployment, project, ['content.read', 'content.write']);

describe.each([
  { who: 'the owner', headers: asOwner },
  { who: 'an operator without secrets.manage', headers: onRows },
])('for $who', ({ headers }) => {
  test.each([
    {
      name: 'an unknown name',
      query: "select 1;\nselect '🚀', nothing",
      details: { statement: 2, line: 2, column: 13 },
    },
    {
      name: 'a word that is no SQL',
      query: '-- a comment\n\nselect 1;\n  select from where;\nselect 2',
      details: { statement: 2, line: 4, column: 15 },
    },
    {
      name: 'a value that exists, without a position',
      query: 'insert into parents values (1);\n insert into parents values (1)',
      details: {
        statement: 2,
        line: 2,
        column: 2,
        detail: 'Key (id)=(1) already exists.',
      },
    },
    {
      name: 'a missing right',
      query: 'select 1;\nselect "tokenHash" from auth.session',
      details: { statement: 2, line: 2, column: 1 },
    },
    {
      name: 'a check at the end of the transaction',
      query: 'select 1;\ninsert into children values (1, 7)',
      details: {
        statement: 2,
        line: 2,
        column: 1,
        detail: 'Key (parent)=(7) is not present in table "parents".',
      },
    },
    {
      name: 'a statement that ends the transaction',
      query: 'select 1;\n  commit',
      details: { statement: 2, line: 2, column: 3 },
    },
  ])('$name', async ({ query, details }) => {
    const reply = await project.send({ method: 'POST', path, headers: headers(), body: { query } });
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.body).toMatchObject({ details });
  });
});

test('a position with parameters', async () => {
  const body = { query: '\nselect $1::int,\n nothing', params: [1] };
  const reply = await project.asService({ method: 'POST', path, body });
  expect(reply.body).toMatchObject({
    code: '42703',
    details: { statement: 1, line: 3, column: 2 },
  });
});

test.each([
  { query: 'select 1', params: [1] },
  { query: 'select $1::int, $2::int', params: [1] },
])('$query does not have the placeholders of its values', async (body) => {
  const reply = await project.asService({ method: 'POST', path, body });
  expect(reply).toMatchObject({
    status: 400,
    body: {
      code: 'INVALID_INPUT',
      message: 'params: must have one value for each placeholder of the query',
    },
  });
});

test('a statement that is not on rows', async () => {
  const body = { query: 'select 1;\n\n drop table parents' };
  const reply = await project.send({ method: 'POST', path, headers: onRows(), body });
  expect(reply.body).toMatchObject({ details: { statement: 2, line: 3, column: 2 } });
});

test('an error in a function names the statement that called it', async () => {
  const body = {
    query: `select 1;\ndo $$ begin\n raise exception 'no' using detail = 'because'; end $$`,
  };
  const reply = await project.asService({ method: 'POST', path, body });
  expect(reply.body).toMatchObject({
    code: 'P0001',
    details: { statement: 2, line: 2, column: 1, detail: 'because' },
  });
});
