// The layer rules of .dependency-cruiser.cjs: each forbids the import of its probe, and the product keeps them all.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

interface Probe {
  readonly folder: string;
  readonly imports: string;
  readonly isType?: boolean;
}

// Each line is an import that one rule forbids; the file it stands in is named after the rule.
const forbidden: Readonly<Record<string, Probe>> = {
  'no-circular': { folder: 'libs/settings/src', imports: './other.js' },
  'no-circular-types': { folder: 'libs/wire/src', imports: './other.js', isType: true },
  'libs-never-import-apps': { folder: 'libs/control-plane/src', imports: '#apps/api' },
  'errors-and-wire-stand-alone': { folder: 'libs/errors/src', imports: '#libs/settings' },
  'pure-libs-have-no-packages': { folder: 'libs/rest-query/src', imports: 'pg' },
  'pure-libs-do-no-io': { folder: 'libs/catalog/src', imports: 'node:fs' },
  'adapters-do-not-know-each-other': { folder: 'libs/database/src', imports: '#libs/secrets' },
  'tools-know-pure-libs-alone': { folder: 'libs/passwords/src', imports: '#libs/secrets' },
  'adapters-do-not-know-the-project': {
    folder: 'libs/outbound/src',
    imports: '#libs/project-runtime',
  },
  'the-control-plane-knows-no-runtime': {
    folder: 'libs/control-plane/src',
    imports: '#libs/project-runtime',
  },
  'web-is-for-the-applications': { folder: 'libs/rate-limit/src', imports: '#libs/web' },
  'web-stands-on-pure-libs': { folder: 'libs/web/src', imports: '#libs/secrets' },
  'testing-stands-on-adapters': { folder: 'libs/testing/src', imports: '#libs/control-plane' },
  'the-client-is-imported-by-nobody': { folder: 'apps/api/src/health', imports: '#libs/sdk' },
  'the-client-stands-alone': { folder: 'libs/sdk/src', imports: '#libs/settings' },
  'the-client-loads-its-connection-with-the-first-channel': {
    folder: 'libs/sdk/src',
    imports: './realtime/connection.js',
  },
  'runtime-knows-no-framework': {
    folder: 'libs/project-runtime/src',
    imports: '#libs/control-plane',
  },
  'typeorm-lives-in-the-control-plane': { folder: 'apps/api/src/sql', imports: 'typeorm' },
  'adapters-know-no-web-framework': { folder: 'libs/jobs/src', imports: 'fastify' },
  'api-http-imports-no-domain': { folder: 'apps/api/src/http', imports: '../users/me.js' },
  'domains-only-through-front-door': { folder: 'apps/api/src/rest', imports: '../users/me.js' },
  'the-applications-do-not-know-each-other': {
    folder: 'apps/console/server/src/audit',
    imports: '#apps/api',
  },
  'pages-know-the-console-by-its-requests': {
    folder: 'apps/console/web/src/api',
    imports: '#libs/settings',
  },
  'pages-run-in-a-browser': { folder: 'apps/console/web/src/session', imports: 'node:fs' },
  'screens-do-not-know-the-palette': {
    folder: 'apps/console/web/src/screens',
    imports: '../palette/palette.js',
  },
  'parts-of-pages-know-no-screen': {
    folder: 'apps/console/web/src/ui',
    imports: '../screens/screen.js',
  },
  'the-server-imports-no-page': {
    folder: 'apps/console/server/src/pages',
    imports: '../../../web/src/screens/screen.js',
  },
  'bin-is-the-top-floor': { folder: 'apps/api/src/health', imports: '../../../../bin/env.js' },
  'testing-only-in-tests': { folder: 'libs/delivery/src', imports: '#libs/testing' },
};

/** What the probes import, so that every import leads somewhere. */
const targets: Readonly<Record<string, string>> = {
  'libs/settings/src/other.ts': `import './no-circular.js';`,
  'libs/wire/src/other.ts': `import type {} from './no-circular-types.js';`,
  'libs/web/src/index.ts': '',
  'libs/sdk/src/index.ts': '',
  'libs/sdk/src/realtime/connection.ts': '',
  'libs/project-runtime/src/index.ts': '',
  'libs/settings/src/index.ts': '',
  'libs/secrets/src/index.ts': '',
  'libs/testing/src/index.ts': '',
  'libs/control-plane/src/index.ts': '',
  'apps/api/src/index.ts': '',
  'apps/api/src/users/me.ts': '',
  'bin/env.ts': '',
  'bench/main.ts': '',
  'apps/console/web/src/palette/palette.ts': '',
  'apps/console/web/src/screens/screen.ts': '',
  // What the floors allow: no rule may report it.
  'apps/api/src/users/allowed.ts': `import '../http/allowed.js'; import '#libs/settings';`,
  'apps/api/src/http/allowed.ts': `import 'fastify'; import '#libs/secrets';`,
  'libs/settings/src/allowed.ts': `import '#libs/errors';`,
  'libs/errors/src/index.ts': '',
};

describe('the layer rules', () => {
  let folder: string;
  let found: readonly string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rowhouse-layers-'));
    await layOut(folder);
    found = await violationsIn(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('each rule has an import here that it forbids', () => {
    const rules: { readonly forbidden: readonly { readonly name: string }[] } = createRequire(
      import.meta.url,
    )('../.dependency-cruiser.cjs');
    expect(Object.keys(forbidden)).toEqual(rules.forbidden.map(({ name }) => name));
  });

  test.each(Object.keys(forbidden))('%s fires', (rule) => {
    expect(found).toContain(`${rule}: ${forbidden[rule]?.folder}/${rule}.ts`);
  });

  test('what the floors allow is not reported', () => {
    expect(found.filter((violation) => violation.includes('allowed.ts'))).toEqual([]);
  });

  test('the product keeps them all', async () => {
    expect(await violationsIn('.')).toEqual([]);
  });
});

/** A tree of the product's shape in which every probe breaks its rule. */
async function layOut(folder: string): Promise<void> {
  for (const file of ['package.json', 'tsconfig.json', '.dependency-cruiser.cjs']) {
    await copyFile(file, join(folder, file));
  }
  const packages = ['pg', 'typeorm', 'fastify'].flatMap((name) => [
    [`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' })] as const,
    [`node_modules/${name}/index.js`, ''] as const,
  ]);
  const probes = Object.entries(forbidden).map(
    ([rule, { folder: place, imports, isType }]) =>
      [
        `${place}/${rule}.ts`,
        isType ? `import type {} from '${imports}';` : `import '${imports}';`,
      ] as const,
  );
  for (const [path, text] of [...packages, ...Object.entries(targets), ...probes]) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), `${text}\n`);
  }
}

/** `<rule>: <file>` for every import that dependency-cruiser objects to. */
async function violationsIn(folder: string): Promise<readonly string[]> {
  const args = [
    resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
    '--config=.dependency-cruiser.cjs',
    '--output-type=json',
    'libs',
    'apps',
    'bin',
    'bench',
  ];
  const output = await new Promise<string>((done, refuse) => {
    const options = {
      cwd: resolve(folder),
      maxBuffer: 2 ** 28,
      env: { PATH: process.env['PATH'] },
    };
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      // It ends with the number of violations, which are no failure of its own.
      if (error && stdout === '') refuse(new Error(stderr, { cause: error }));
      else done(stdout);
    });
  });
  const report: {
    readonly summary: {
      readonly totalCruised: number;
      readonly violations: readonly { readonly from: string; readonly rule: { name: string } }[];
    };
  } = JSON.parse(output);
  expect(report.summary.totalCruised).toBeGreaterThan(0);
  return report.summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`);
}
