import { expect, test } from 'vitest';

import { ProjectCatalog } from './project-catalog.js';

const contentOf = (version: string): string => JSON.stringify({ version });

/** A catalog over a database that counts the reads of the system catalogs. */
function open(stored: string | undefined, keepError?: Error) {
  const seen = { reads: 0, kept: [] as string[], errors: [] as unknown[] };
  const catalog = new ProjectCatalog({
    db: {
      queryAsEngine<Row extends object>() {
        seen.reads += 1;
        const rows: object[] = [{ catalog: contentOf('7') }];
        return Promise.resolve(rows as Row[]);
      },
    },
    stored: {
      find: () => Promise.resolve(stored),
      keep(content) {
        seen.kept.push(content);
        return keepError ? Promise.reject(keepError) : Promise.resolve();
      },
    },
    onKeepError: (error) => void seen.errors.push(error),
  });
  return { catalog, seen };
}

test('what is kept is used without a look at the system catalogs', async () => {
  const { catalog, seen } = open(contentOf('7'));
  expect((await catalog.get()).catalog.schemaVersion).toBe('7');
  expect(seen).toMatchObject({ reads: 0, kept: [] });
});

test('what is not kept is read once, and kept', async () => {
  const { catalog, seen } = open(undefined);
  await Promise.all([catalog.get(), catalog.get()]);
  await catalog.get();
  expect(seen).toMatchObject({ reads: 1, kept: [contentOf('7')] });
});

test('a catalog that cannot be kept serves all the same', async () => {
  const failure = new Error('read-only');
  const { catalog, seen } = open(undefined, failure);
  expect((await catalog.get()).catalog.schemaVersion).toBe('7');
  expect(seen.errors).toEqual([failure]);
});
