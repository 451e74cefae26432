// Totals tell nothing of the rows that policies hide: guesses of the planner rest on all rows of a table.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Observatory } from './observatory.js';

let sky: Observatory;

beforeAll(async () => {
  sky = await Observatory.open(`
    create table wards (id int primary key);
    insert into wards values (1);
    alter table wards disable row level security;
    create table patients (
      id int primary key, ward_id int references wards, owner text, diagnosis text);
    create policy own on patients for select using (owner = 'nobody' or id <= 2);
    insert into patients
      select i, 1, 'x', case when i % 10 = 0 then 'hiv' else 'flu' end from generate_series(1, 6667) i;
    analyze patients;
    analyze wards;
    create function is_ill(wards) returns boolean stable language sql as
      'select exists (select from patients p where p.ward_id = $1.id)';
    create table crowd (id int primary key);
    create policy everybody on crowd for select using (true);
    insert into crowd select generate_series(1, 100500);
    analyze crowd;`);
});
afterAll(() => sky.close());

const methods = ['GET', 'HEAD'] as const;
const guesses = ['planned', 'estimated'] as const;
const cases = methods.flatMap((method) => guesses.map((count) => ({ method, count })));

describe.each(cases)('$method with count=$count', ({ method, count }) => {
  const prefer = `count=${count}`;
  const rangeOf = async (path: string): Promise<unknown> => {
    const reply = await sky.send(method, path, { headers: { prefer } });
    expect(reply).toMatchObject({ status: 200, headers: { 'preference-applied': prefer } });
    return reply.headers['content-range'];
  };

  test.each([
    { filter: 'no filter', path: 'patients?select=id', range: '0-1/2' },
    { filter: 'a value', path: 'patients?diagnosis=eq.hiv', range: '*/0' },
    { filter: 'a frequent value', path: 'patients?diagnosis=eq.flu', range: '0-1/2' },
    { filter: 'a range of values', path: 'patients?diagnosis=gt.g', range: '*/0' },
    { filter: 'groups', path: 'patients?select=diagnosis,count()', range: '0-0/1' },
    {
      filter: 'hidden rows behind an embed',
      path: 'wards?select=id,patients!inner(id)&patients.diagnosis=eq.hiv',
      range: '*/0',
    },
    { filter: 'a function over hidden rows', path: 'wards?is_ill=is.true', range: '0-0/1' },
  ])('counts visible rows: $filter', async ({ path, range }) => {
    expect(await rangeOf(path)).toBe(range);
  });

  test('stops at 100,000 rows, and a page behind them is none too many', async () => {
    expect(await rangeOf('crowd?limit=1')).toBe('0-0/100000');
    expect(await rangeOf('crowd?limit=1&offset=100400')).toMatch(/100001$|100401$|^\*\/100000$/);
  });

  test('is the guess for the secret key', async () => {
    const path = '/rest/v1/patients?limit=1&diagnosis=not.is.null';
    const reply = await sky.project.asService({ method, path, headers: { prefer } });
    const [, total] = String(reply.headers['content-range']).split('/');
    expect(Number(total)).toBeGreaterThan(6000);
  });

  test('and counts for a secret key that stands for a visitor', async () => {
    const headers = { prefer, 'x-service-impersonate': 'anon' };
    const reply = await sky.project.asService({ method, path: '/rest/v1/patients', headers });
    expect(reply.headers['content-range']).toBe('0-1/2');
  });
});

test('a plan, which shows guesses too, is refused to everybody but administrators', async () => {
  const accept = 'application/vnd.pgrst.plan+json';
  for (const method of methods) {
    const plan = await sky.send(method, 'patients?diagnosis=eq.hiv', { headers: { accept } });
    expect(plan.status).toBe(403);
    expect(plan.text).not.toContain('Plan Rows');
  }
});
