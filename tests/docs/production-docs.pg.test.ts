// docs/production.md: its variables can be started with, and what it says of a server of one's own is so.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';

import { parseEnv } from '../../bin/env.js';
import { asSuperuser, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

const page = readFileSync('docs/production.md', 'utf8');
const chapter = (title: string): string =>
  page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
const [, variables = ''] = /```ini\n# \/etc\/rowhouse\.env.*\n([^]*?)```/.exec(page) ?? [];

let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
});
afterAll(() => deployment.close());

test('the variables of a service are accepted', () => {
  const env = variables
    .trim()
    .split('\n')
    .map((line) => /^([A-Z_]+)=(.+)$/.exec(line)?.slice(1) ?? [])
    .map(([name = '', value = '']) => [name, value === '…' ? `${name}-`.padEnd(40, 'x') : value]);
  expect(env.length).toBeGreaterThan(8);
  expect(parseEnv(Object.fromEntries(env))).toMatchObject({
    rootDomain: 'example.com',
    publicUrl: new URL('https://example.com'),
    trustProxy: ['127.0.0.1'],
  });
});

test('the roles that it names are those that all projects share', async () => {
  const [, listed = ''] = /creates the roles (.*), the database/.exec(page) ?? [];
  const names = [...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  const rows = await asSuperuser(
    `select rolname from pg_catalog.pg_roles where not rolcanlogin and rolname !~ '^pg_'
     and (rolname in ('anon', 'authenticated', 'service_role') or rolname ~ '^platform_')`,
  );
  expect(names.toSorted()).toEqual(rows.map(({ rolname }) => rolname).toSorted());
});

test('a project has seven logins, with the connections that it names', async () => {
  const rows = await asSuperuser(
    `select rolname, rolconnlimit from pg_catalog.pg_roles
     where pg_catalog.starts_with(rolname::pg_catalog.text, '${project.databaseId}_')`,
  );
  expect(chapter('Your own PostgreSQL')).toContain('seven login roles');
  expect(rows).toHaveLength(7);
  const [, tables, accounts, scripts] =
    /at most (\d+) connections for requests on tables, (\d+) for accounts and (\d+) for SQL/.exec(
      chapter('Several machines'),
    ) ?? [];
  const limitOf = (kind: 'api' | 'editor' | 'engine'): unknown =>
    rows.find(({ rolname }) => rolname === project.login(kind))?.['rolconnlimit'];
  expect({
    api: Number(tables),
    engine: Number(accounts),
    editor: Number(scripts),
  }).toEqual({ api: limitOf('api'), engine: limitOf('engine'), editor: limitOf('editor') });
});
