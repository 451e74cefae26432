// In which form the published client gets its rows: one row, CSV, GeoJSON, without nulls, as a query plan.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { observatorySql } from './support/observatory.js';
import { clientOf, type PublishedClient, serviceClientOf } from './support/published-client.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let client: PublishedClient;

const point = (...coordinates: number[]) => ({ type: 'Point', coordinates });

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.sql(observatorySql);
  await project.sql(`
    create table domes (id int primary key, name text, location jsonb);
    insert into domes values (1, 'North', '${JSON.stringify(point(9.9, 53.5))}'), (2, 'South', null);
    create table odd (id int primary key, note text, is_open boolean, more jsonb, tags text[]);
    insert into odd values (1, 'a, "b"', true, '{"x": [1, "y"]}', '{p,q}'),
      (2, E'two\\nlines', false, null, null), (3, '', null, '[]', '{}');
    create function label_of(id int) returns text language sql
      as 'select label(p) from planets p where p.id = $1';
    create policy "everybody reads" on domes for select using (true);
    create policy "everybody reads" on odd for select using (true);`);
  client = clientOf(project);
});
afterAll(() => deployment.close());

describe('one row', () => {
  test('single gives the row as an object', async () => {
    expect(await client.from('planets').select('name').eq('id', 3).single()).toMatchObject({
      data: { name: 'Mars' },
      status: 200,
    });
  });

  test.each([
    { name: 'none', id: 99 },
    { name: 'several', id: 1 },
  ])('single of $name is 406 PGRST116', async ({ id }) => {
    const { data, error, status } = await client.from('planets').select().gte('id', id).single();
    expect([data, status, error?.code]).toEqual([null, 406, 'PGRST116']);
  });

  test('single after limit takes the first', async () => {
    const { data } = await client.from('planets').select('id').order('id').limit(1).single();
    expect(data).toEqual({ id: 1 });
  });

  test('maybeSingle gives the row, or null for none, or PGRST116 for several', async () => {
    const from = (id: number) => client.from('planets').select('id').gte('id', id).maybeSingle();
    expect((await from(6)).data).toEqual({ id: 6 });
    expect(await from(99)).toMatchObject({ data: null, error: null, status: 200 });
    expect((await from(1)).error).toMatchObject({ code: 'PGRST116' });
  });
});

describe('stripNulls', () => {
  test('leaves out keys with null in rows and in what is embedded', async () => {
    const { data } = await client
      .from('planets')
      .select('id, mass, moon_count, stars(name), atmospheres(pressure)')
      .gte('id', 5)
      .order('id')
      .stripNulls();
    expect(data).toEqual([{ id: 5, mass: 1.07, stars: { name: 'Proxima' } }, { id: 6 }]);
  });

  test('of a single row', async () => {
    const { data } = await client
      .from('planets')
      .select('id, mass')
      .eq('id', 6)
      .stripNulls()
      .single();
    expect(data).toEqual({ id: 6 });
  });
});

describe('csv', () => {
  test('quotes as RFC 4180 says and writes JSON as text', async () => {
    const { data, error } = await client.from('odd').select().order('id').csv();
    expect(error).toBeNull();
    expect(data).toBe(
      [
        'id,note,is_open,more,tags',
        `1,"a, ""b""",true,"{""x"": [1, ""y""]}","[""p"",""q""]"`,
        `2,"two\nlines",false,,`,
        '3,"",,[],[]',
        '',
      ].join('\r\n'),
    );
  });

  test('has aliases and embeds in its header', async () => {
    const { data } = await client
      .from('planets')
      .select('title:name, stars(name)')
      .eq('id', 2)
      .csv();
    expect(data).toBe('title,stars\r\nEarth,"{""name"":""Sun""}"\r\n');
  });
});

describe('geojson', () => {
  test('makes features of rows whose geometry is JSON', async () => {
    const { data, error } = await client.from('domes').select().order('id').geojson();
    expect(error).toBeNull();
    expect(data).toEqual({
      type: 'FeatureCollection',
      features: [
        { type: 'Feature', geometry: point(9.9, 53.5), properties: { id: 1, name: 'North' } },
        { type: 'Feature', geometry: null, properties: { id: 2, name: 'South' } },
      ],
    });
  });

  test('is 406 for rows without anything like a geometry', async () => {
    const { data, error, status } = await client.from('stars').select('id, name').geojson();
    expect([data, status, error?.code]).toEqual([null, 406, 'PGRST107']);
  });
});

describe('explain', () => {
  const withSecretKey = () => serviceClientOf(project).from('planets').select().eq('id', 1);

  test('with the secret key is the plan as text', async () => {
    const { data, error, status } = await withSecretKey().explain();
    expect([error, status]).toEqual([null, 200]);
    expect(data).toMatch(/planets.*\(cost=/);
    expect(data).not.toContain('actual');
  });

  test('with analyze and buffers has what was measured', async () => {
    const { data } = await withSecretKey().explain({ analyze: true, buffers: true, verbose: true });
    expect(data).toMatch(/actual time=/);
    expect(data).toMatch(/Output:/);
  });

  test('as JSON is the plan as an object', async () => {
    const { data } = await withSecretKey().explain({ format: 'json', settings: true });
    expect(data).toMatchObject([{ Plan: { 'Node Type': expect.any(String) }, Settings: {} }]);
  });

  test('of a write does not write', async () => {
    const stars = serviceClientOf(project).from('stars');
    const { data } = await stars.insert({ id: 9, name: 'Nova' }).select().explain();
    expect(data).toMatch(/Insert on (public\.)?stars/);
    expect((await stars.select('id').eq('id', 9)).data).toEqual([]);
  });

  test('of a function is its plan', async () => {
    const { data } = await serviceClientOf(project).rpc('label_of', { id: 1 }).explain();
    expect(data).toMatch(/Result|Function Scan/);
  });

  test.each([{ format: 'text' as const }, { format: 'json' as const }])(
    'without the secret key is 403 PGRST103 (as $format)',
    async ({ format }) => {
      const rows = client.from('planets').select();
      const { data, error, status } = await (format === 'json'
        ? rows.explain({ format, analyze: true })
        : rows.explain({ format, analyze: true }));
      expect([data, status, error?.code]).toEqual([null, 403, 'PGRST103']);
    },
  );

  test('by a signed-in user is refused as well', async () => {
    const { token } = await project.signUp('ada@example.org');
    const { error } = await clientOf(project, { token }).from('planets').select().explain();
    expect(error?.code).toBe('PGRST103');
  });
});
