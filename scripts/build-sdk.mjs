// Builds the package of the client, `@rowhouse/client`, into dist/client (bin/build-client.js), ready for
// `npm publish dist/client` and `npm pack ./dist/client`. Then measures what a page loads of it, and that a page without
// channels loads nothing for them: `--size` alone measures the last build.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildClient } from '../bin/build-client.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'dist/client');
/** The module that the client loads with the first channel. */
const channels = './connection.js';
/** What a page loads at most, minified and compressed: with everything, without accounts, and for channels. */
const limits = [
  { name: 'the whole client', entry: 'index.js', maxBytes: 20.5 * 1024, without: [channels] },
  {
    name: 'tables, files, functions and session alone',
    entry: 'index.js',
    maxBytes: 14.5 * 1024,
    without: ['./auth/client.js', channels],
  },
  {
    name: 'what the first channel loads, besides socket.io-client',
    entry: 'realtime/connection.js',
    maxBytes: 4 * 1024,
    without: ['socket.io-client'],
  },
];

try {
  if (!process.argv.includes('--size')) {
    await buildClient();
    console.log('built dist/client, dist/client.tgz, dist/client.js and dist/client-channels.js');
  }
  await checkSize();
} catch (error) {
  console.error(`build-sdk: ${error.message}${error.stdout ? `\n${error.stdout}` : ''}`);
  process.exitCode = 1;
}

async function checkSize() {
  for (const { name, entry, maxBytes, without } of limits) {
    // One after the other: each bundle is the work of all cores.
    const code = await bundleAsOne(entry, without);
    const bytes = gzipSync(code, { level: 9 }).length;
    console.log(
      `@rowhouse/client, ${name}: ${code.length} bytes minified, ${bytes} gzipped (at most ${maxBytes})`,
    );
    if (bytes > maxBytes) throw new Error(`${name} is ${bytes - maxBytes} bytes too large`);
    if (entry === 'index.js' && /socket\.io|rt:join/.test(code)) {
      throw new Error(`${name} contains what is loaded with the first channel`);
    }
  }
}

/** A module and all that it imports as one, minified, except those left out. */
async function bundleAsOne(entry, externalModules) {
  const { bundle, minify } = await import('@swc/core');
  const bundled = await bundle({
    entry: { client: join(target, 'dist/esm', entry) },
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
