// Facts that were stated in several files once, and the only files that state them now. The client and the pages import
// nothing of the server, so each has what it needs of its own.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const sources = ['apps', 'bench', 'bin', 'libs', 'scripts', 'tests'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:tsx?|m?js)$/.test(file))
    .map((file) => join(folder, file).replaceAll('\\', '/')),
);
const productSources = sources.filter((file) => !/^tests\/|\.test\.ts$/.test(file));

function filesWith(fact: RegExp, files: readonly string[]): readonly string[] {
  return files.filter((file) => fact.test(readFileSync(file, 'utf8'))).toSorted();
}

test.each([
  {
    name: 'the names of cookies of the auth engine',
    fact: /^(?!\s*(?:\/\/|\/?\*)).*['"`.}](?:session_token|two_factor|trust_device)['"`]/m,
    place: 'libs/wire/src/cookie-prefix.ts',
  },
  {
    name: 'the start of their names',
    fact: /(?<!from )['"`](?:__\w+-)?better-auth['"`.]/,
    place: 'libs/wire/src/cookie-prefix.ts',
  },
  {
    name: 'where the bytes of files can be',
    fact: /'local'\s*[|,]\s*'s3'|'s3'\s*[|,]\s*'local'/,
    place: 'libs/wire/src/driver-kind.ts',
  },
])('one file of the product states $name', ({ fact, place }) => {
  expect(filesWith(fact, productSources)).toEqual([place]);
});

test('an object of JSON is recognized in one file of the server, of the client and of the pages', () => {
  const recognition =
    /typeof ([\w.]+) === 'object'\s*&&\s*\1 !== null\s*&&\s*!Array\.isArray\(\1\)/;
  expect(filesWith(recognition, sources)).toEqual([
    'apps/console/web/src/api/json.ts',
    'libs/sdk/src/json.ts',
    'libs/wire/src/is-record.ts',
  ]);
});

test('a text that may not be JSON is parsed in one file of the server and of the pages', () => {
  const parsing =
    /JSON\.parse\([^;]*;\s*\} catch \((\w+)\) \{\s*if \(\1 instanceof SyntaxError\) return undefined;/;
  // The servers that the benchmark compares with import nothing of the product.
  const ours = productSources.filter((file) => !file.startsWith('bench/peers/'));
  expect(filesWith(parsing, ours)).toEqual([
    'apps/console/web/src/api/json.ts',
    'libs/wire/src/parse-json.ts',
  ]);
});

test('each schedule of retries has a name of its own', () => {
  const schedules = productSources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/const (\w*RETRY_SECONDS)\b/g)].map(
      ([, name]) => name ?? '',
    ),
  );
  expect(schedules.toSorted()).toEqual([
    'EVENT_RETRY_SECONDS',
    'TRIGGER_RETRY_SECONDS',
    'WEBHOOK_RETRY_SECONDS',
  ]);
});
