// docker/: the example of the environment has the variables of docs/configuration.md, and what the image is built from
// and runs is in the checkout.
import { expect, test } from 'vitest';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

import { parseEnv } from '../../bin/env.js';

const example = readFileSync('docker/.env.example', 'utf8');
const entries = [...example.matchAll(/^#?([A-Z0-9_]+)=(.*)$/gm)].map(
  ([, name = '', value = '']) => ({
    name,
    value,
  }),
);
/** Read by docker/compose.parts.yaml for its PostgreSQL, and not by the server. */
const onlyForCompose = 'POSTGRES_PASSWORD';

test('docker/.env.example has every variable of docs/configuration.md once, and no other', () => {
  const page = readFileSync('docs/configuration.md', 'utf8');
  const cells = [...page.matchAll(/^\| (`[^|]+)\|/gm)].map(([, cell = '']) => cell);
  const documented = cells.flatMap((cell) =>
    [...cell.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name),
  );
  const listed = entries.map(({ name }) => name).filter((name) => name !== onlyForCompose);
  expect(listed.toSorted()).toEqual(documented.toSorted());
});

test('the server accepts docker/.env.example as it is', () => {
  const active = [...example.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)];
  const env = Object.fromEntries(active.map(([, name = '', value = '']) => [name, value]));
  expect(parseEnv(env)).toEqual(parseEnv({}));
});

test('the server accepts every value of docker/.env.example', () => {
  const rest: Readonly<Record<string, string>> = {
    ROOT_DOMAIN: 'example.com',
    OPERATOR_EMAIL: 'me@example.com',
    OPERATOR_PASSWORD: 'correct horse battery',
    MASTER_KEY: '0'.repeat(64),
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  };
  const given = Object.fromEntries(entries.map(({ name, value }) => [name, value]));
  expect(parseEnv({ ...given, ...rest })).toMatchObject({
    dataDir: '/data',
    storage: { driver: 'local', s3: { bucket: 'rowhouse' } },
  });
});

test.each(['docker/compose.yaml', 'docker/compose.parts.yaml'])(
  '%s sets and requires variables of the example alone',
  (file) => {
    const text = readFileSync(file, 'utf8');
    const used = [...text.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name);
    expect(entries.map(({ name }) => name)).toEqual(expect.arrayContaining(used));
  },
);

test('what the image is built from is in the checkout and is let into the build', () => {
  const dockerfile = readFileSync('docker/Dockerfile', 'utf8');
  const admitted = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  expect(admitted.filter((path) => !existsSync(path))).toEqual([]);
  const run = [...dockerfile.matchAll(/"node", "([^"]+)"/g)].map(([, path = '']) => path);
  expect(run).toEqual(['docker/healthcheck.js', 'bin/rowhouse.js']);
  expect(run.filter((path) => !existsSync(path))).toEqual([]);
});

test('the image uses the release that the documents recommend, and the tests run on it', () => {
  const [, major = ''] = /node:(\d+)-/.exec(readFileSync('docker/Dockerfile', 'utf8')) ?? [];
  const runs = readFileSync('scripts/proof-parts.mjs', 'utf8');
  const tested = [...runs.matchAll(/\.ci\/on-node (\d+)\.\d+\.\d+([^'`]*)/g)];
  expect(tested.map(([, release]) => release)).toEqual(expect.arrayContaining(['22', major]));
  // On the release of the image, tests of the product run, too.
  const [, , named = ''] = tested.find(([, release]) => release === major) ?? [];
  const files = named.trim().split(/\s+/);
  expect(files.length).toBeGreaterThan(5);
  const hasTests = (path: string) =>
    readdirSync(dirname(path)).some((file) => file.startsWith(basename(path)));
  expect(files.filter((file) => !hasTests(file))).toEqual([]);
  const built = /^release=(\d+)\./m.exec(readFileSync('docker/try.sh', 'utf8'));
  expect(built?.[1]).toBe(major);
  for (const page of ['README.md', 'docs/quickstart.md', 'docs/production.md']) {
    const recommended = /Node\.js (\d+) \(LTS\)/.exec(readFileSync(page, 'utf8'));
    expect(recommended?.[1]).toBe(major);
  }
});
