// Spec, "Exposure rules" 1 to 4. The secret key asks wherever a right could stand in for exposure.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { asSuperuser } from '../support/deployment.js';
import type { Call } from '../support/http.js';
import { Observatory } from './observatory.js';

const BLOCKLIST = [
  'session',
  'account',
  'verification',
  'jwks',
  'app_settings',
  'edge_function_secrets',
  'schema_migrations',
  'realtime_outbox',
];

let sky: Observatory;

beforeAll(async () => {
  const blocked = BLOCKLIST.map(
    (name) => `create table public.${name} (id int primary key, planet_id int references planets);
      create policy everybody on public.${name} using (true);
      insert into public.${name} values (1, 1);`,
  );
  sky = await Observatory.open(`
    ${blocked.join('\n')}
    create schema private;
    create table private.vault (id int primary key);
    insert into private.vault values (1);
    grant usage on schema private to anon, authenticated, service_role;
    grant all on private.vault to anon, authenticated, service_role;
    create view planet_names as select id, name, star_id from planets;
    create materialized view planet_masses as select id, mass from planets;
    create function blocked_rows() returns setof session stable language sql as 'select * from session';
    create function view_rows() returns setof planet_names stable language sql as 'select * from planet_names';
    create function mass_rows() returns setof planet_masses stable language sql as 'select * from planet_masses';
    create function sessions_of(planets) returns setof session stable language sql as 'select * from session';
    create table comments (id int primary key, planet_id int references planets, owner text, text text);
    create policy own on comments to authenticated using (owner = auth.uid());
    insert into comments values (1, 3, 'somebody', 'private');
    create schema tools;
    create function tools.answer() returns int immutable language sql as 'select 42';
    grant usage on schema tools to anon, authenticated, service_role;
    grant execute on all functions in schema tools to anon, authenticated, service_role;`);
});
afterAll(() => sky.close());

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'];
const callOf = (method: string, model: string, headers = {}): Call => {
  const isWrite = method === 'POST' || method === 'PATCH';
  const query = method === 'PATCH' || method === 'DELETE' ? '?id=eq.1' : '';
  return {
    method,
    path: `/rest/v1/${model}${query}`,
    headers,
    ...(isWrite && { body: { id: 2 } }),
  };
};

describe('rule 1: only the public schema is reachable, and a name blocklist is a second gate', () => {
  test.each(['vault', 'private.vault', '"private"."vault"', 'user', 'auth.user', 'pg_class'])(
    'the model %s is 404 PGRST205 for the secret key too',
    async (name) => {
      const model = encodeURIComponent(name);
      for (const method of METHODS) {
        const reply = await sky.project.asService(callOf(method, model));
        expect([method, reply.status]).toEqual([method, 404]);
        if (method !== 'HEAD') expect(reply.body).toMatchObject({ code: 'PGRST205', status: 404 });
      }
      const vault = await sky.project.sql('select id from private.vault');
      expect(vault).toEqual([{ id: 1 }]);
    },
  );

  test.each(BLOCKLIST)('a table called %s is not served, in no way', async (name) => {
    for (const method of METHODS) {
      const reply = await sky.project.asService(callOf(method, name));
      expect([method, reply.status]).toEqual([method, 404]);
    }
    const embed = await sky.project.asService({ path: `/rest/v1/planets?select=id,${name}(id)` });
    expect(embed.body).toMatchObject({ code: 'PGRST200', status: 400 });
    const operations = [{ method: 'DELETE', model: name, query: 'id=eq.1' }];
    const batch: Call = { method: 'POST', path: '/rest/v1/batch', body: { operations } };
    expect((await sky.project.asService(batch)).body).toMatchObject({ code: 'PGRST205' });
    expect(await sky.project.sql(`select id from public.${name}`)).toEqual([{ id: 1 }]);
  });

  test('neither function results nor computed relations lead to a blocked table', async () => {
    const result = await sky.project.asService({ path: '/rest/v1/rpc/blocked_rows' });
    expect(result.body).toMatchObject({ code: 'PGRST202', status: 404 });
    const path = '/rest/v1/planets?select=id,sessions_of(id)';
    expect((await sky.project.asService({ path })).body).toMatchObject({ code: 'PGRST200' });
  });

  test('a blocked name is not given away by a hint', async () => {
    const reply = await sky.get('sesion');
    expect(reply.status).toBe(404);
    expect(reply.text).not.toContain('session');
  });

  test('managed tables live in other schemas', async () => {
    const tables = await asSuperuser(
      `select distinct schemaname from pg_tables where tablename = any($1) and schemaname <> 'public'`,
      { database: sky.project.database, values: [BLOCKLIST] },
    );
    expect(tables.map(({ schemaname }) => schemaname)).toContain('auth');
  });
});

describe('rule 2: views and materialized views are excluded', () => {
  test.each(['planet_names', 'planet_masses'])('%s is 404 PGRST205', async (model) => {
    for (const method of METHODS) {
      const reply = await sky.project.asService(callOf(method, model));
      expect([method, reply.status]).toEqual([method, 404]);
      if (method !== 'HEAD') expect(reply.body).toMatchObject({ code: 'PGRST205' });
    }
    expect(await sky.project.sql('select id from planets where id = 1')).toHaveLength(1);
  });

  test('neither embeds nor function results show their rows', async () => {
    const embed = await sky.project.asService({
      path: '/rest/v1/stars?select=id,planet_names(id)',
    });
    expect(embed.body).toMatchObject({ code: 'PGRST200', status: 400 });
    for (const name of ['view_rows', 'mass_rows']) {
      const result = await sky.project.asService({ path: `/rest/v1/rpc/${name}` });
      expect(result.body).toMatchObject({ code: 'PGRST202', status: 404 });
    }
  });
});

describe('rule 3: embedded relations pass the same exposure and RLS checks as top-level ones', () => {
  test('rows that the caller may not see are not embedded', async () => {
    const path = '/rest/v1/planets?select=id,comments(id)&id=eq.3';
    const [nobody, user, service] = await Promise.all([
      sky.project.send({ path }),
      sky.project.as(sky.ada, { path }),
      sky.project.asService({ path }),
    ]);
    expect(nobody.body).toEqual([{ id: 3, comments: [] }]);
    expect(user.body).toEqual([{ id: 3, comments: [] }]);
    expect(service.body).toEqual([{ id: 3, comments: [{ id: 1 }] }]);
  });

  test('!inner cannot tell whether there are such rows', async () => {
    const path = '/rest/v1/planets?select=id,comments!inner()';
    const headers = { prefer: 'count=exact' };
    const reply = await sky.project.as(sky.ada, { path, headers });
    expect(reply.body).toEqual([]);
    expect(reply.headers['content-range']).toBe('*/0');
  });
});

describe('rule 4: only public holds tables; other schemas are reachable only for functions', () => {
  test.each([
    { method: 'GET', header: 'accept-profile' },
    { method: 'HEAD', header: 'accept-profile' },
    { method: 'POST', header: 'content-profile' },
    { method: 'PATCH', header: 'content-profile' },
    { method: 'DELETE', header: 'content-profile' },
  ])('$method of a table with $header: private is 406 PGRST106', async ({ method, header }) => {
    await sky.saveSettings({ functionSchemas: ['private', 'tools'] });
    for (const model of ['vault', 'probes']) {
      const reply = await sky.project.asService(callOf(method, model, { [header]: 'private' }));
      expect(reply.status).toBe(406);
      if (method !== 'HEAD') expect(reply.body).toMatchObject({ code: 'PGRST106', status: 406 });
    }
    expect(await sky.probes()).toEqual([]);
    expect(await sky.project.sql('select id from private.vault')).toEqual([{ id: 1 }]);
    await sky.saveSettings();
  });

  test.each([
    { method: 'GET', header: 'accept-profile', status: 200 },
    { method: 'HEAD', header: 'accept-profile', status: 200 },
    { method: 'POST', header: 'content-profile', status: 201 },
    { method: 'PATCH', header: 'content-profile', status: 404 },
    { method: 'DELETE', header: 'content-profile', status: 200 },
  ])('$method with $header: public is like without', async ({ method, header, status }) => {
    const headers = { [header]: 'public', prefer: 'tx=rollback' };
    expect((await sky.project.send(callOf(method, 'probes', headers))).status).toBe(status);
  });

  test('a function of a schema that the service exposes is reached by the profile headers', async () => {
    const refused = await sky.get('rpc/answer', { 'accept-profile': 'tools' });
    expect([refused.status, refused.body]).toMatchObject([406, { code: 'PGRST106' }]);
    await sky.saveSettings({ functionSchemas: ['tools'] });
    expect((await sky.get('rpc/answer', { 'accept-profile': 'tools' })).body).toBe(42);
    const call = { headers: { 'content-profile': 'tools' }, body: {} };
    expect((await sky.send('POST', 'rpc/answer', call)).body).toBe(42);
    // Also on connections that prepare the call anew, while others are busy with it.
    const many = Array.from({ length: 40 }, () =>
      sky.get('rpc/answer', { 'accept-profile': 'tools' }),
    );
    expect(new Set((await Promise.all(many)).map(({ text }) => text))).toEqual(new Set(['42']));
    await sky.saveSettings();
  });
});
