// Programs that read the schema of a project with the connection string of its owner find its tables and nothing of
// the neighbor.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describeIf } from '#libs/testing';

import { rolesOf } from '../isolation/catalog-probe.js';
import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { prismaFiles } from './prisma.js';
import { hasTools, reason, runTool, workFolder } from './tools.js';

describeIf(hasTools, reason)('with the connection string of the owner', () => {
  let deployment: Deployment;
  let project: ProjectUnderTest;
  let foreignNames: readonly string[];

  beforeAll(async () => {
    deployment = await Deployment.shared();
    project = await deployment.createProject();
    const neighbor = await deployment.createProject();
    const roles = await rolesOf(neighbor.database);
    foreignNames = [neighbor.database, ...roles.map(({ name }) => name)];
    await neighbor.sql('create table secret_of_the_neighbor (id int primary key)');
    await project.sql(`
      create type mood as enum ('calm', 'loud');
      create table authors (id int generated always as identity primary key, name text not null unique);
      create table notes (id int primary key, author int references authors, feeling mood default 'calm', tags text[]);
      create view loud_notes as select * from notes where feeling = 'loud';
      create policy own on notes for select to authenticated using (author = 1);
    `);
  });
  afterAll(() => deployment.close());

  function expectOwnNamesAlone(text: string): void {
    for (const name of ['authors', 'notes', 'mood']) expect(text).toContain(name);
    for (const name of [...foreignNames, 'secret_of_the_neighbor'])
      expect(text).not.toContain(name);
  }

  test('drizzle-kit pull', { timeout: 120_000 }, async () => {
    const cwd = await workFolder({ 'package.json': '{"type":"module"}' });
    const args = ['pull', '--dialect=postgresql', `--url=${project.databaseUrl}`, '--out=drizzle'];
    const { code, output } = await runTool('drizzle-kit', args, { cwd });
    expect(output).toContain('Your schema file is ready');
    expect(code).toBe(0);
    expectOwnNamesAlone(await readFile(join(cwd, 'drizzle/schema.ts'), 'utf8'));
  });

  test('prisma db pull', { timeout: 120_000 }, async () => {
    const cwd = await workFolder(prismaFiles);
    const env = { DATABASE_URL: project.databaseUrl };
    const { code, output } = await runTool('prisma', ['db', 'pull'], { cwd, env });
    expect(output).toContain('Introspected 2 models');
    expect(code).toBe(0);
    const text = await readFile(join(cwd, 'schema.prisma'), 'utf8');
    expectOwnNamesAlone(text);
    expect(text).toMatch(/authors +authors\? +@relation\(fields: \[author\], references: \[id\]/);
    expect(text).toMatch(/feeling +mood\? +@default\(calm\)/);
  });
});
