// What the documents and the style guide promise about the shape of the code: the code map is complete and true, the
// configuration table is complete, the environment is read in one place. The layer rules have layer-rules.long.test.ts.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

const codeMap = readFileSync('ARCHITECTURE.md', 'utf8');
const sources = ['apps', 'bench', 'bin', 'libs', 'scripts'].flatMap((folder) =>
  listSources(folder),
);
const productSources = sources.filter((file) => !/\.test\.ts$|^libs\/\w[\w-]*\/tests\//.test(file));

describe('ARCHITECTURE.md', () => {
  const named = [...codeMap.matchAll(/`([^`\s]+)`/g)].map(([, path]) => path ?? '');
  const top = /^(?:apps|bench|bin|docs|libs|migrations|scripts|tests)(?:\/|$)/;
  const paths = [...new Set(named.filter((path) => top.test(path)))];

  test.each(paths)('%s exists', (path) => {
    expect(existsSync(path)).toBe(true);
  });

  test('a file that is named by its last part alone lies in the folder of its paragraph', () => {
    const lost = paragraphs().flatMap(({ folder, text }) =>
      [...text.matchAll(/`([\w.-]+\.ts)`/g)]
        .map(([, file]) => file ?? '')
        .filter((file) => !listSources(folder).some((path) => path.endsWith(`/${file}`)))
        .map((file) => `${folder}: ${file}`),
    );
    expect(lost).toEqual([]);
  });

  test('a table of files lists each file of the folder', () => {
    const tables = paragraphs().filter(({ text }) => text.includes('\n| File '));
    expect(tables.map(({ folder }) => folder)).toEqual(['bin', 'libs/project-runtime']);
    for (const { folder, text } of tables) {
      const listed = [...text.matchAll(/^\| `([^`]+\.[jt]s)`/gm)].map(([, file]) => file);
      const sourceFolder = existsSync(`${folder}/src`) ? `${folder}/src` : folder;
      const files = readdirSync(sourceFolder).filter((file) => /(?<!\.test)\.[jt]s$/.test(file));
      expect(listed.toSorted()).toEqual(files.filter((file) => file !== 'index.ts').toSorted());
    }
  });

  const folders = [
    ...foldersIn('apps/api/src'),
    ...foldersIn('apps/console/server/src'),
    ...foldersIn('apps/console/web/src'),
    ...foldersIn('apps/worker/src'),
    ...foldersIn('libs'),
    'bench',
    'bin',
    'docs',
    'migrations',
    'scripts',
    'tests',
  ];
  test.each(folders)('%s has a paragraph', (folder) => {
    expect(paragraphs().map((paragraph) => paragraph.folder)).toContain(folder);
  });
});

test('docs/configuration.md has every variable of the environment and no other', () => {
  const page = readFileSync('docs/configuration.md', 'utf8');
  const cells = [...page.matchAll(/^\| (`[^|]+)\|/gm)].map(([, cell = '']) => cell);
  const documented = cells.flatMap((cell) =>
    [...cell.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name),
  );
  const read = readFileSync('bin/env.ts', 'utf8').matchAll(/reader\.\w+\(\s*'([A-Z0-9_]+)'/g);
  expect(documented.toSorted()).toEqual([...new Set([...read].map(([, name]) => name))].toSorted());
});

test('the environment of the process is read in one file of the product, and one of the benchmark', () => {
  const readers = productSources.filter((file) => /\bprocess\.env\b/.test(codeOf(file)));
  expect(readers).toEqual([
    // A text to paste into an app.
    'apps/console/web/src/screens/project/snippets.ts',
    'bench/env.ts',
    // Says to the bundler that it builds for production.
    'bin/build-console.js',
    'bin/env.ts',
    // Runs before anything is compiled, and asks for what npm sets.
    'bin/follow-npm.js',
    // Asks for the port of the console, to which it sends requests of pages.
    'scripts/dev.mjs',
    // These hand it on to the tests that they start.
    'scripts/fuzz.mjs',
    'scripts/soak.mjs',
  ]);
});

test('the registry alone has a map by project', () => {
  const mapByProject =
    /(?:project|tenant|(?:\bref|Ref)(?![a-z]))\w*.*new (?:Weak)?Map\b|Map<\w*(?:Project|Ref(?![a-z]))\w*,/;
  const files = productSources.filter((file) =>
    codeOf(file)
      .split('\n')
      .some((line) => mapByProject.test(line)),
  );
  expect(files).toEqual(['libs/project-runtime/src/project-registry.ts']);
});

/** The paragraphs of the code map that begin with the name of a folder, each with the table that follows it. */
function paragraphs(): readonly { readonly folder: string; readonly text: string }[] {
  return codeMap.split(/\n\n(?!\|)/).flatMap((text) => {
    const folder = /^\*\*`([^`]+)`\*\*/.exec(text)?.[1];
    return folder === undefined ? [] : [{ folder, text }];
  });
}

function foldersIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`);
}

function listSources(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|m?js)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).replaceAll('\\', '/'))
    .toSorted();
}

/** The text of a file without its comments. */
function codeOf(file: string): string {
  return readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '');
}
