// Each migration says how releases that do not know it get on with it (libs/database/src/migration-kind.ts).
import { requirementOf } from '#libs/database';
import { expect, test } from 'vitest';
import { readMigrations } from './migration-files.js';

test.each(['control-plane', 'project', 'project-superuser'] as const)(
  'a contraction in migrations/%s requires an earlier file of the folder',
  async (folder) => {
    const files = await readMigrations(folder);
    const names = files.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    for (const [at, { name, sql }] of files.entries()) {
      const required = requirementOf(name, sql);
      if (required !== undefined) expect(names.slice(0, at)).toContain(required);
    }
  },
);

test('migrations and superuser steps of projects have different names', async () => {
  const files = [
    ...(await readMigrations('project')),
    ...(await readMigrations('project-superuser')),
  ];
  expect(new Set(files.map(({ name }) => name)).size).toBe(files.length);
});
