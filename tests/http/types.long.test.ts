// `GET /api/admin/types` and `rowhouse gen types` against a real project: the file that comes out compiles
// with the types of the client, and they infer what the project's requests answer.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CLIENT_TYPES, compileErrors } from '#libs/testing';

import { demoSql } from '../../bin/demo-project.js';
import { genTypes } from '../../bin/gen-types.js';
import { asSuperuser, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';

const path = '/api/admin/types';
let deployment: Deployment;
let project: ProjectUnderTest;
let ada: SignedIn;
let admin: SignedIn;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.sql(demoSql);
  ada = await project.signUp('ada@example.org');
  admin = await project.signUp('admin@example.org');
  await asSuperuser(`update auth."user" set role = 'ADMIN' where id::text = $1`, {
    database: project.database,
    values: [admin.id],
  });
});
afterAll(() => deployment.close());

describe('who may read the types', () => {
  test('an administrator, the secret key and an operator get the same text', async () => {
    const replies = await Promise.all([
      project.as(admin, { path }),
      project.asService({ path }),
      project.asService({ path: '/admin/types' }),
      deployment.console({ path: `/platform/projects/${project.ref}${path}` }),
    ]);
    for (const reply of replies) {
      expect(reply.status).toBe(200);
      expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(reply.text).toBe(replies[0]?.text);
    }
  });

  test.each([
    { name: 'nobody', call: () => project.send({ path }), status: 401 },
    { name: 'a user', call: () => project.as(ada, { path }), status: 403 },
    {
      name: 'the publishable key',
      call: () => project.send({ path, headers: { apikey: project.publishableKey } }),
      status: 401,
    },
  ])('$name is refused', async ({ call, status }) => {
    const reply = await call();
    expect(reply.status).toBe(status);
    expect(reply.text).not.toContain('planets');
  });
});

const prelude = `
import type { Database, Tables, TablesInsert } from './generated.js';
import type { FunctionArgs, FunctionReturns, SelectResult } from '${CLIENT_TYPES}';
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Expect<T extends true> = T;
type Of<Table extends string, Query extends string> = SelectResult<Database, Table, Query>;
`;

/** What the compiler objects to when each type of the project is to be the one beside it. */
async function errorsOf(pairs: readonly (readonly [string, string])[]): Promise<readonly string[]> {
  const generated = (await project.asService({ path })).text;
  const lines = pairs.map(([a, b], i) => `export type T${i} = Expect<Equal<${a}, ${b}>>;`);
  return compileErrors({ 'generated.ts': generated, 'uses.ts': prelude + lines.join('\n') });
}

test('the demo project: rows, inserts and embeds have the right types', async () => {
  expect(
    await errorsOf([
      [
        `Tables<'planets'>`,
        '{ has_rings: boolean; id: number; kind: string; moons: number; name: string; radius_km: number }',
      ],
      [
        `TablesInsert<'comments'>`,
        '{ author_id?: string | null; body: string; created_at?: string; id?: never; post_id: number }',
      ],
      [`Of<'todos', 'id,due_on'>`, '{ id: number; due_on: string | null }'],
      [`Of<'comments', 'body,posts(title)'>`, '{ body: string; posts: { title: string } }'],
      [`Of<'posts', 'title,comments(id)'>`, '{ title: string; comments: { id: number }[] }'],
      [`Of<'posts', 'titel'>`, `{ error: "column 'titel' does not exist on 'posts'" }`],
    ]),
  ).toEqual([]);
});

test('a change of the schema is in the next answer; enums, functions and computed relations too', async () => {
  await project.asService({ path: '/rest/v1/planets' });
  await project.sql(`
    create type mood as enum ('calm', 'stormy');
    create domain short as varchar(20) check (value <> '');
    create table weather (
      planet_id int not null primary key references planets (id),
      mood mood not null default 'calm',
      moods mood[],
      label short,
      facts jsonb not null,
      double_id int generated always as (planet_id * 2) stored
    );
    create table session (id int primary key);
    create function add(a int, b int default 1) returns int language sql as 'select a + b';
    create function by_mood(wanted mood) returns setof weather language sql stable
      as 'select * from public.weather where mood = wanted';
    create function log_it(line text) returns void language sql as '';
    create function density(planets) returns float8 language sql stable as 'select 1.0::float8';
    create function rivals(planets) returns setof planets language sql stable
      as 'select p.* from public.planets p where p.id <> $1.id';
  `);
  expect(
    await errorsOf([
      [
        `Tables<'weather'>`,
        `{ double_id: number | null; facts: import('./generated.js').Json; label: string | null; mood: 'calm' | 'stormy'; moods: ('calm' | 'stormy')[] | null; planet_id: number }`,
      ],
      [`TablesInsert<'weather'>['double_id']`, 'undefined'],
      [`FunctionArgs<Database, 'add'>`, '{ a: number; b?: number }'],
      [`FunctionReturns<Database, 'add'>`, 'number'],
      [`FunctionArgs<Database, 'by_mood'>`, `{ wanted: 'calm' | 'stormy' }`],
      [`FunctionReturns<Database, 'by_mood'>`, `Tables<'weather'>[]`],
      [`FunctionReturns<Database, 'log_it'>`, 'null'],
      [
        `Of<'planets', 'name,weather(mood),density,rivals(name)'>`,
        `{ name: string; weather: { mood: 'calm' | 'stormy' } | null; density: number | null; rivals: { name: string }[] }`,
      ],
      [
        `keyof Database['public']['Tables']`,
        `'planets' | 'posts' | 'comments' | 'todos' | 'weather'`,
      ],
    ]),
  ).toEqual([]);
});

describe('the command', () => {
  const run = async (url: string, key: string) => {
    let output = '';
    let complaint = '';
    const code = await genTypes(['--url', url, '--key', key], {
      secretKey: undefined,
      print: (text) => (output += text),
      complain: (text) => (complaint += text),
    });
    return { code, output, complaint };
  };
  const urlOf = (host: string) => `http://${host}:${new URL(deployment.apiOrigin).port}`;

  test('it prints what the route answers', async () => {
    const { text } = await project.asService({ path });
    const result = await run(urlOf(project.host), project.secretKey);
    expect(result).toEqual({ code: 0, output: text, complaint: '' });
  });

  test.each([
    { name: 'a publishable key', key: () => project.publishableKey },
    { name: 'a key of nobody', key: () => 'svc_secret_nobody' },
  ])('$name is told in plain words', async ({ key }) => {
    const { code, output, complaint } = await run(urlOf(project.host), key());
    expect([code, output]).toEqual([1, '']);
    expect(complaint).toMatch(/^rowhouse: http:\/\/\S+ does not accept the key; [^\n]+\n$/);
  });

  test('so is a host without a project', async () => {
    const url = urlOf('nobody.localhost');
    expect(await run(url, project.secretKey)).toEqual({
      code: 1,
      output: '',
      complaint: `rowhouse: There is no project at ${url}; check --url\n`,
    });
  });
});
