// What `NODE_ENV=production npm ci` leaves out must not be needed by a start, which compiles the sources and builds the
// pages: every package whose files the compiler reads, and every package that the program or a page imports.
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';

import { describe, expect, test } from 'vitest';
import ts from 'typescript';

interface LockEntry {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

const { packages }: { readonly packages: Readonly<Record<string, LockEntry>> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
);
const manifest: {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
} = JSON.parse(readFileSync('package.json', 'utf8'));

/** Whether a production installation has the package at this place of the lock file. */
function isInstalled(place: string): boolean {
  const entry = packages[place];
  return entry !== undefined && entry.dev !== true && entry.devOptional !== true;
}

const declared = new Set([
  ...Object.keys(manifest.dependencies),
  ...Object.keys(manifest.optionalDependencies),
]);

/** The name of the package that an import names; undefined for files, our own names and Node's modules. */
function packageOf(specifier: string): string | undefined {
  if (/^[.#/]/.test(specifier) || isBuiltin(specifier)) return undefined;
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0];
}

function programOf(configFile: string): ts.Program {
  const config = ts.getParsedCommandLineOfConfigFile(configFile, undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
    },
  });
  if (!config) throw new Error(`no configuration in ${configFile}`);
  return ts.createProgram(config.fileNames, config.options);
}

describe.each(['tsconfig.build.json', 'libs/sdk/tsconfig.build.json'])('%s', (configFile) => {
  const files = programOf(configFile).getSourceFiles();

  test('reads files of packages of a production installation alone', () => {
    const places = files
      .map(({ fileName }) => /(?:^|\/)(node_modules\/.*)$/.exec(fileName)?.[1])
      .filter((path) => path !== undefined)
      // The place of a package in the lock file: up to the name behind the last node_modules.
      .map((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path);
    expect([...new Set(places)].filter((place) => !isInstalled(place))).toEqual([]);
  });

  test('imports what package.json names as a dependency alone', () => {
    const own = files.filter(({ fileName }) => !fileName.includes('/node_modules/'));
    const imported = own.flatMap((file) =>
      ts.preProcessFile(file.text).importedFiles.map(({ fileName }) => packageOf(fileName)),
    );
    const missing = [...new Set(imported)].filter(
      (name) => name !== undefined && !declared.has(name),
    );
    expect(missing).toEqual([]);
  });
});

test('the programs that run before the compiler need nothing but it and the bundler', () => {
  const programs = readdirSync('bin').filter((name) => name.endsWith('.js'));
  const imported = programs.flatMap((name) =>
    ts
      .preProcessFile(readFileSync(join('bin', name), 'utf8'))
      .importedFiles.map(({ fileName }) => packageOf(fileName)),
  );
  const names = new Set(imported.filter((name) => name !== undefined));
  expect([...names].toSorted()).toEqual(['typescript', 'vite']);
  for (const name of names)
    expect([name, isInstalled(`node_modules/${name}`)]).toEqual([name, true]);
});

test('the pages, which the bundler builds, need what a production installation has', () => {
  const web = 'apps/console/web';
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|js|css)$/.test(name) && !/\.test\.tsx?$/.test(name))
    .filter((name) => !name.includes('node_modules'));
  const imported = files.flatMap((name) => {
    const text = readFileSync(join(web, name), 'utf8');
    if (name.endsWith('.css'))
      return [...text.matchAll(/@(?:import|plugin) '([^']+)'/g)].map(([, each = '']) => each);
    return ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
  });
  const names = new Set(imported.map(packageOf).filter((name) => name !== undefined));
  expect([...names]).toEqual(expect.arrayContaining(['react', 'tailwindcss', '@tailwindcss/vite']));
  const missing = [...names].filter(
    (name) => !declared.has(name) || !isInstalled(`node_modules/${name}`),
  );
  expect(missing).toEqual([]);
});

test('the types that the compiler is told to load are installed', () => {
  const {
    config,
  }: { readonly config?: { readonly compilerOptions: { readonly types: string[] } } } =
    ts.readConfigFile(resolve('tsconfig.json'), (path) => readFileSync(path, 'utf8'));
  for (const name of config?.compilerOptions.types ?? ['none']) {
    expect([name, isInstalled(`node_modules/@types/${name}`)]).toEqual([name, true]);
  }
});
