// Builds the client, `@rowhouse/client`, from libs/sdk: the package in dist/client, the archive that npm
// installs (dist/client.tgz) and the one ES module that pages import (dist/client.js). A running deployment
// serves the last two. Needs TypeScript and nothing else, because every start of a checkout may build.
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { tarGz } from './tar.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'libs/sdk');

/**
 * Builds everything from scratch into `folder`. Throws an error with the compiler's findings in `stdout`.
 */
export async function buildClient(folder = join(root, 'dist')) {
  const target = join(folder, 'client');
  await rm(target, { recursive: true, force: true });
  const { default: ts } = await import('typescript');
  const modules = compile(ts, target);
  await writeAll(join(target, 'dist/esm'), modules.esm);
  await writeAll(join(target, 'dist/cjs'), {
    ...modules.cjs,
    'package.json': '{ "type": "commonjs" }\n',
  });
  const { version } = await writeManifest(target);
  await copyFile(join(source, 'README.md'), join(target, 'README.md'));
  await copyFile(join(root, 'LICENSE'), join(target, 'LICENSE'));
  const names = exportedNames(join(target, 'dist/cjs/index.js'));
  await writeFile(join(folder, 'client.js'), asOneModule(modules.page, { version, names }));
  await writeFile(join(folder, 'client.tgz'), tarGz(await packedFiles(target)));
}

/** The files of each build by their path; `page` is CommonJS without comments. Types are the same text in all. */
function compile(ts, target) {
  const configFile = join(source, 'tsconfig.build.json');
  const config = ts.getParsedCommandLineOfConfigFile(
    configFile,
    { outDir: join(target, 'dist/esm') },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (found) => refuse(ts, [found]) },
  );
  const program = ts.createProgram(config.fileNames, config.options);
  const esm = {};
  const { diagnostics } = program.emit(undefined, (path, text) => {
    esm[posix.relative(posixPath(config.options.outDir), posixPath(path))] = text;
  });
  refuse(ts, [...ts.getPreEmitDiagnostics(program), ...diagnostics]);
  const cjs = toCommonJs(ts, esm, {});
  return { esm, cjs, page: toCommonJs(ts, esm, { removeComments: true }) };
}

function toCommonJs(ts, files, options) {
  const compilerOptions = {
    module: ts.ModuleKind.CommonJS,
    target: ts.ScriptTarget.ES2022,
    ...options,
  };
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path,
      path.endsWith('.js')
        ? ts.transpileModule(text, { compilerOptions, fileName: path }).outputText
        : text,
    ]),
  );
}

function refuse(ts, diagnostics) {
  if (diagnostics.length === 0) return;
  const host = {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => root,
    getNewLine: () => '\n',
  };
  throw Object.assign(new Error('the client does not compile'), {
    stdout: ts.formatDiagnostics(diagnostics, host),
  });
}

/** The manifest without its scripts, which are for this repository. */
async function writeManifest(target) {
  const { scripts: _, ...manifest } = JSON.parse(
    await readFile(join(source, 'package.json'), 'utf8'),
  );
  await writeFile(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

/**
 * One ES module out of the CommonJS modules: each becomes a function, and `require` names it by its path from
 * the entry. A page loads it with one request, and no bundler is needed to build it.
 */
function asOneModule(files, { version, names }) {
  const bodies = Object.entries(files)
    .filter(([path]) => path.endsWith('.js'))
    .map(
      ([path, text]) => `${JSON.stringify(path)}(exports, require) {\n${inlined(path, text)}},\n`,
    );
  return `/*! @rowhouse/client ${version}, Apache-2.0 */
const modules = {
${bodies.join('')}};
const loaded = new Map();
function load(path) {
  let exports = loaded.get(path);
  if (exports === undefined) {
    loaded.set(path, (exports = {}));
    modules[path](exports, load);
  }
  return exports;
}
export const { ${names.join(', ')} } = load('index.js');
`;
}

function inlined(path, text) {
  return text
    .replace(/^"use strict";\n/, '')
    .replaceAll(
      /\brequire\("(\.{1,2}\/[^"]+)"\)/g,
      (_, wanted) => `require(${JSON.stringify(posix.join(posix.dirname(path), wanted))})`,
    );
}

function exportedNames(entryFile) {
  const entry = createRequire(import.meta.url)(entryFile);
  return Object.keys(entry).filter((name) => name !== '__esModule');
}

async function packedFiles(target) {
  const entries = await readdir(target, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Promise.all(
    paths.map(async (path) => ({
      // npm takes the first folder of an archive away, whatever its name.
      name: `package/${posixPath(path).slice(posixPath(target).length + 1)}`,
      content: await readFile(path),
    })),
  );
}

async function writeAll(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

function posixPath(path) {
  return path.replaceAll('\\', '/');
}

// As a program of its own: `node bin/build-client.js [folder]`.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await buildClient(process.argv[2]);
  } catch (error) {
    process.stdout.write(error.stdout ?? '');
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
