// Builds the pages of the console, apps/console/web, into dist/console, and compresses each file once for all requests.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Files of these kinds become smaller. */
const compressible = new Set(['.js', '.css', '.svg']);
const compressors = {
  '.gz': (content) => promisify(gzip)(content, { level: 9 }),
  '.br': (content) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
};

/** Builds everything from scratch into `folder`. Throws the findings of the bundler. */
export async function buildConsole(folder = join(root, 'dist/console')) {
  // React for development would be built where this variable says something else, such as in tests.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  const { viteConfig } = await import('../apps/console/web/vite.config.js');
  await build({
    ...viteConfig,
    build: { ...viteConfig.build, outDir: folder, emptyOutDir: true },
  });
  const assets = join(folder, 'assets');
  const names = await readdir(assets);
  await Promise.all(
    names
      .filter((name) => compressible.has(extname(name)))
      .map((name) => compress(join(assets, name))),
  );
}

async function compress(file) {
  const content = await readFile(file);
  for (const [ending, compressor] of Object.entries(compressors)) {
    await writeFile(file + ending, await compressor(content));
  }
}

// As a program of its own: `node bin/build-console.js [folder]`.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await buildConsole(process.argv[2]);
}
