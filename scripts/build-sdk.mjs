// Builds the package of the client, `@rowhouse/client`, into dist/client: ES modules, CommonJS and types,
// ready for `npm publish dist/client`. Then measures it: `--size` alone measures the last build.
// The folder is outside of libs/sdk so that building it never makes the product's own build look old.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'libs/sdk');
const target = join(root, 'dist/client');
/** What a page loads at most, minified and compressed: everything, and everything but the accounts. */
const limits = [
  { name: 'the whole client', maxBytes: 18 * 1024, without: [] },
  { name: 'tables, files and session alone', maxBytes: 12 * 1024, without: ['./auth/client.js'] },
];

try {
  if (!process.argv.includes('--size')) await build();
  await checkSize();
} catch (error) {
  console.error(`build-sdk: ${error.message}${error.stdout ? `\n${error.stdout}` : ''}`);
  process.exitCode = 1;
}

async function build() {
  await rm(target, { recursive: true, force: true });
  await compile('esm', []);
  // Output as CommonJS rewrites the imports, which verbatimModuleSyntax forbids.
  const commonJs = ['--module', 'commonjs', '--moduleResolution', 'bundler'];
  await compile('cjs', [...commonJs, '--verbatimModuleSyntax', 'false']);
  await writeFile(join(target, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n');
  for (const file of ['package.json', 'README.md']) {
    await copyFile(join(source, file), join(target, file));
  }
  await copyFile(join(root, 'LICENSE'), join(target, 'LICENSE'));
}

async function compile(kind, options) {
  const outDir = join(target, 'dist', kind);
  await mkdir(outDir, { recursive: true });
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const project = join(source, 'tsconfig.build.json');
  const args = [compiler, '-p', project, '--outDir', outDir, ...options];
  await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 2 ** 24 });
}

async function checkSize() {
  for (const { name, maxBytes, without } of limits) {
    // One after the other: each bundle is the work of all cores.
    const code = await bundleAsOne(without);
    const bytes = gzipSync(code, { level: 9 }).length;
    console.log(
      `@rowhouse/client, ${name}: ${code.length} bytes minified, ${bytes} gzipped (at most ${maxBytes})`,
    );
    if (bytes > maxBytes) throw new Error(`${name} is ${bytes - maxBytes} bytes too large`);
  }
}

/** All modules as one, minified, except those left out. */
async function bundleAsOne(externalModules) {
  const { bundle, minify } = await import('@swc/core');
  const bundled = await bundle({
    entry: { client: join(target, 'dist/esm/index.js') },
    output: { path: target, name: 'client.js' },
    target: 'browser',
    mode: 'production',
    module: {},
    externalModules,
    options: { jsc: { target: 'es2022', parser: { syntax: 'ecmascript' } } },
  });
  const { code } = await minify(bundled.client.code, {
    module: true,
    ecma: 2022,
    compress: true,
    mangle: true,
  });
  return code;
}
