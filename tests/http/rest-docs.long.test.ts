// The description of the REST API: what a caller may use, and nothing else.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { documentProblems } from '../../libs/rest-docs/tests/document-problems.js';
import { saveSettings } from '../isolation/neighbors.js';
import { asRecord, Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let sibling: ProjectUnderTest;
let user: SignedIn;

beforeAll(async () => {
  deployment = await Deployment.shared();
  [project, sibling] = await Promise.all([deployment.createProject(), deployment.createProject()]);
  await sibling.sql(`
    create table neighbors_only (id int primary key);
    comment on table neighbors_only is 'What the neighbor keeps.';
    create function neighbors_function() returns int language sql as 'select 1';`);
  await project.sql(`
    create type mood as enum ('calm', 'it''s wild');
    create table authors (
      id bigint generated always as identity primary key,
      name varchar(40) not null,
      feels mood not null default 'calm',
      notes jsonb,
      made timestamptz not null default now()
    );
    create table posts (
      id int primary key,
      author_id bigint not null references authors,
      tags text[],
      length int generated always as (1 + 1) stored
    );
    create table drawer (id int primary key);
    create table session (id int primary key);
    create view a_view as select 1 as x;
    revoke all on drawer from anon, authenticated;
    revoke insert, update, delete on posts from anon;
    revoke select on authors from anon;
    grant select (id, name) on authors to anon;
    comment on table authors is 'People who write.';
    comment on column authors.name is 'As it is printed.';
    create function shelf(size int, label text default 'x') returns setof posts
      language sql stable as 'select * from posts';
    create function burn(id int) returns void language sql as 'select null::void';
    create function as_owner() returns int language sql security definer as 'select 1';
    comment on function shelf(int, text) is 'What stands on a shelf.';
    revoke execute on function burn(int) from public, anon;
    create schema tools;
    grant usage on schema tools to anon, authenticated, service_role;
    create function tools.hammer() returns int language sql immutable as 'select 1';`);
  user = await project.signUp('user@example.org');
});
afterAll(() => deployment.close());

/** The value under `keys` in the body of a reply. */
function at(reply: Reply, ...keys: readonly string[]): unknown {
  return keys.reduce((value: unknown, key) => asRecord(value)[key], reply.body);
}

const pathsIn = (reply: Reply): readonly string[] => Object.keys(asRecord(at(reply, 'paths')));
const describeTo = (headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
  project.send({ path: '/rest/v1/', headers });

describe('GET /rest/v1/', () => {
  test.each(['/rest/v1/', '/rest/v1'])('%s is a sound document', async (path) => {
    const reply = await project.asService({ path });
    expect(reply.status).toBe(200);
    expect(documentProblems(reply.body)).toEqual([]);
    const { name } = asRecord(
      (await deployment.console({ path: `/platform/projects/${project.ref}` })).body,
    );
    expect(at(reply, 'info', 'title')).toBe(name);
    const [server] = Object.values(asRecord(at(reply, 'servers')));
    expect(asRecord(server)['url']).toMatch(
      new RegExp(`^http://${project.ref}\\.localhost(:\\d+)?/rest/v1$`),
    );
  });

  test.each([
    { accept: undefined, type: 'application/json' },
    { accept: 'application/json', type: 'application/json' },
    { accept: 'application/openapi+json', type: 'application/openapi+json' },
    { accept: 'text/html,*/*;q=0.8', type: 'application/json' },
  ])('Accept $accept is answered with $type', async ({ accept, type }) => {
    const reply = await describeTo(accept === undefined ? {} : { accept });
    expect(reply.headers['content-type']).toBe(`${type}; charset=utf-8`);
    expect(reply.headers['cache-control']).toBe('no-store');
  });

  test('HEAD answers with the head of GET', async () => {
    const got = await describeTo();
    const head = await project.send({ method: 'HEAD', path: '/rest/v1/' });
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(head.headers['content-length']).toBe(got.headers['content-length']);
  });

  test('two answers to one caller are the same', async () => {
    expect((await describeTo()).text).toBe((await describeTo()).text);
  });

  test('columns have types, labels, defaults, keys and comments', async () => {
    const reply = await project.asService({ path: '/rest/v1/' });
    const schemas = at(reply, 'components', 'schemas');
    expect(schemas).toMatchObject({
      authors: {
        description: 'People who write.',
        properties: {
          id: { type: 'integer', format: 'int64', readOnly: true },
          name: { type: 'string', maxLength: 40, description: 'As it is printed.' },
          feels: { type: 'string', enum: ['calm', "it's wild"], default: 'calm' },
          made: { type: 'string', format: 'date-time', description: 'Default: `now()`.' },
        },
      },
      posts: {
        properties: {
          author_id: { description: 'Refers to `authors` by `id`.' },
          tags: { type: ['array', 'null'], items: { type: 'string' } },
          length: { readOnly: true },
        },
      },
    });
    expect(schemas).toMatchObject({ 'authors.insert': { required: ['name'] } });
    expect(asRecord(asRecord(schemas)['posts.insert'])['required']).toEqual(['id', 'author_id']);
  });

  test('functions have arguments, results and comments', async () => {
    const reply = await project.asService({ path: '/rest/v1/' });
    expect(at(reply, 'paths', '/rpc/shelf', 'post')).toMatchObject({
      description: 'What stands on a shelf.',
      requestBody: {
        content: {
          'application/json': {
            schema: {
              properties: { size: { type: ['integer', 'null'] }, label: {} },
              required: ['size'],
            },
          },
        },
      },
      responses: {
        200: {
          content: {
            'application/json': {
              schema: { type: 'array', items: { $ref: '#/components/schemas/posts' } },
            },
          },
        },
      },
    });
    expect(at(reply, 'paths', '/rpc/burn', 'post', 'responses')).toHaveProperty('204');
  });

  test('what nobody may reach is not there: blocked names, views, other schemas', async () => {
    const reply = await project.asService({ path: '/rest/v1/' });
    const paths = pathsIn(reply);
    expect(paths).toEqual(expect.arrayContaining(['/authors', '/posts', '/drawer', '/batch']));
    for (const path of ['/session', '/a_view', '/user', '/app_settings', '/rpc/hammer']) {
      expect(paths).not.toContain(path);
    }
  });

  test('nothing of another project is there', async () => {
    for (const reply of [await describeTo(), await project.asService({ path: '/rest/v1/' })]) {
      expect(reply.text).not.toContain('neighbor');
    }
    expect((await sibling.asService({ path: '/rest/v1/' })).text).toContain('neighbors_only');
  });
});

describe('the rights of the caller', () => {
  test('a table without a right is there for those who have one', async () => {
    expect((await describeTo()).text).not.toContain('drawer');
    expect((await project.as(user, { path: '/rest/v1/' })).text).not.toContain('drawer');
    expect(pathsIn(await project.asService({ path: '/rest/v1/' }))).toContain('/drawer');
  });

  test('a table has the methods that its rights allow', async () => {
    const methods = (reply: Reply) => Object.keys(asRecord(at(reply, 'paths', '/posts')));
    expect(methods(await describeTo())).toEqual(['get', 'head']);
    expect(methods(await project.as(user, { path: '/rest/v1/' }))).toEqual([
      'get',
      'head',
      'post',
      'patch',
      'delete',
    ]);
  });

  test('rights on some columns show these columns', async () => {
    const reply = await describeTo();
    const row = asRecord(at(reply, 'components', 'schemas', 'authors'));
    expect(Object.keys(asRecord(row['properties']))).toEqual(['id', 'name']);
    expect(row['description']).toContain('`select` has to name');
  });

  test('a function without the right is there for those who have it', async () => {
    expect((await describeTo()).text).not.toContain('burn');
    expect(pathsIn(await project.asService({ path: '/rest/v1/' }))).toContain('/rpc/burn');
  });

  test('a grant counts from the next request on', async () => {
    await project.sql('grant select on drawer to anon');
    expect(pathsIn(await describeTo())).toContain('/drawer');
    await project.sql('revoke all on drawer from anon');
    expect(pathsIn(await describeTo())).not.toContain('/drawer');
  });

  test('a new table is there for the next request', async () => {
    await project.sql('create table brand_new (id int primary key)');
    expect(pathsIn(await describeTo())).toContain('/brand_new');
    await project.sql('drop table brand_new');
    expect(pathsIn(await describeTo())).not.toContain('/brand_new');
  });

  test('functions of owners and of other schemas are there when the settings name them', async () => {
    const tools = { 'accept-profile': 'tools' };
    expect((await describeTo(tools)).body).toMatchObject({ code: 'PGRST106', status: 406 });
    expect(pathsIn(await describeTo())).not.toContain('/rpc/as_owner');
    const values = { functionSchemas: ['tools'], definerFunctions: ['as_owner'] };
    await saveSettings(project, 'api.rest', values);
    try {
      expect(pathsIn(await describeTo())).toContain('/rpc/as_owner');
      expect(pathsIn(await describeTo(tools))).toEqual(['/rpc/hammer']);
    } finally {
      await saveSettings(project, 'api.rest', {});
    }
  });
});
