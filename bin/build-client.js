// Builds the client, `@rowhouse/client`, from libs/sdk: the package in dist/client, the archive that npm
// installs (dist/client.tgz) and the ES modules for pages (dist/client.js, and dist/client-channels.js, which it
// loads for channels). A running deployment serves all but the first. Needs TypeScript and nothing else, because
// every start of a checkout may build.
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { copyDependencies } from './client-dependencies.js';
import { pageModules } from './client-page.js';
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
  await copyDependencies(source, join(target, 'node_modules'));
  await writeAll(folder, await pageModules(modules.page, { version, names }));
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
