// Hints and details of errors name nothing on which the caller has no right.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Observatory } from './observatory.js';

let sky: Observatory;

beforeAll(async () => {
  sky = await Observatory.open(`
    create table hidden_salaries (id int primary key, planet_id int references planets, amount int);
    create table people (id int primary key, nickname text, wage int,
      home int references planets, birth int references planets);
    create policy everybody on people using (true);
    create table secret_trips (
      planet int references planets, star int references stars, primary key (planet, star));
    create function hidden_total(a int) returns int stable language sql as 'select 1';
    create function open_total(a int) returns int stable language sql as 'select 1';
    create function hidden_relation(planets) returns setof moons stable language sql as
      'select * from moons';
    revoke all on hidden_salaries, secret_trips from public, anon, authenticated;
    revoke all on people from public, anon, authenticated;
    grant select (id, nickname, home, birth) on people to anon;
    revoke execute on function hidden_total(int), hidden_relation(planets)
      from public, anon, authenticated;`);
});
afterAll(() => sky.close());

const hidden = /salar|secret|trip|wage|hidden_t|hidden_r|amount/;

describe('without a right there is no hint', () => {
  test.each([
    { name: 'a table', path: 'hidden_salarie', code: 'PGRST205' },
    { name: 'a column', path: 'people?select=id,wages', code: 'PGRST204' },
    { name: 'a column in a filter', path: 'people?wages=eq.1', code: 'PGRST204' },
    { name: 'a relation', path: 'planets?select=id,hiden_salaries(id)', code: 'PGRST200' },
    { name: 'a computed relation', path: 'planets?select=id,hidden_relatio(id)', code: 'PGRST200' },
    { name: 'a function', path: 'rpc/hidden_totals', code: 'PGRST202' },
    { name: 'arguments of a function', path: 'rpc/hidden_total?b=1', code: 'PGRST202' },
  ])('$name', async ({ path, code }) => {
    const reply = await sky.get(path);
    expect(reply.body).toMatchObject({ code });
    expect(reply.body).not.toHaveProperty('hint');
    const asked = path.replace(/^.*?(?=hidden_total\?)/, '');
    const told = JSON.stringify(reply.body).replaceAll(asked.split('?')[0] ?? '', '');
    expect(
      told.replace(/hidden_salarie\b|wages|hiden_salaries|hidden_relatio\b|hidden_totals/g, ''),
    ).not.toMatch(hidden);
  });

  test('in an operation of a batch, whose index stays', async () => {
    const operations = [{ method: 'POST', model: 'hidden_salarie', body: { id: 1 } }];
    const reply = await sky.send('POST', 'batch', { body: { operations } });
    expect(reply.body).toMatchObject({ code: 'PGRST205', details: { operation: 0 } });
    expect(reply.body).not.toHaveProperty('hint');
  });

  test('candidates of an ambiguous relation are not listed', async () => {
    await sky.project.sql(
      'revoke select on people from anon; grant select on people to authenticated',
    );
    const reply = await sky.get('planets?select=id,people(id)');
    expect(reply).toMatchObject({ status: 300, body: { code: 'PGRST201' } });
    expect(reply.body).not.toHaveProperty('hint');
    expect(reply.body).not.toHaveProperty('details');
    await sky.project.sql('grant select (id, nickname, home, birth) on people to anon');
  });
});

describe('with a right there is one', () => {
  test.each([
    { name: 'a table', path: 'planet', hint: 'Perhaps you meant the table planets' },
    {
      name: 'a column',
      path: 'people?select=nicknam',
      hint: 'Perhaps you meant the column nickname',
    },
    { name: 'a relation', path: 'planets?select=moon(id)', hint: 'Perhaps you meant moons' },
    {
      name: 'a function',
      path: 'rpc/open_totals',
      hint: 'Perhaps you meant the function public.open_total',
    },
    {
      name: 'arguments',
      path: 'rpc/open_total?b=1',
      hint: 'Perhaps you meant public.open_total(a integer)',
    },
  ])('$name', async ({ path, hint }) => {
    expect((await sky.get(path)).body).toMatchObject({ hint });
  });

  test('and the secret key gets each of them', async () => {
    const reply = await sky.project.asService({ path: '/rest/v1/hidden_salarie' });
    expect(reply.body).toMatchObject({ hint: 'Perhaps you meant the table hidden_salaries' });
  });
});
