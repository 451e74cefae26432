// Builds the package of the client, `@rowhouse/client`, into dist/client (bin/build-client.js), ready for
// `npm publish dist/client` and `npm pack ./dist/client`. Then measures what a page loads of it: `--size` alone
// measures the last build.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildClient } from '../bin/build-client.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'dist/client');
/** What a page loads at most, minified and compressed: everything, and everything but the accounts. */
const limits = [
  { name: 'the whole client', maxBytes: 18 * 1024, without: [] },
  { name: 'tables, files and session alone', maxBytes: 12 * 1024, without: ['./auth/client.js'] },
];

try {
  if (!process.argv.includes('--size')) {
    await buildClient();
    console.log('built dist/client, dist/client.tgz and dist/client.js');
  }
  await checkSize();
} catch (error) {
  console.error(`build-sdk: ${error.message}${error.stdout ? `\n${error.stdout}` : ''}`);
  process.exitCode = 1;
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
