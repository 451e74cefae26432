import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

// The engine and its plugins share classes and context through these packages: a second copy of one of
// them breaks `instanceof` and hooks without an error.
test.each([
  'better-auth',
  '@better-auth/core',
  '@better-auth/utils',
  '@better-fetch/fetch',
  'better-call',
  'kysely',
  'zod',
  'jose',
])('%s is installed once', async (name) => {
  const lock: unknown = JSON.parse(
    await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8'),
  );
  const packages: unknown = Reflect.get(Object(lock), 'packages');
  const places = Object.keys(Object(packages)).filter((path) =>
    path.endsWith(`node_modules/${name}`),
  );
  expect(places).toEqual([`node_modules/${name}`]);
});
