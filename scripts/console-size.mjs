// `npm run console-size`: builds the pages of the console if they are stale, and prints how much a browser loads before
// the list of projects is usable. A test holds the bound (tests/console-web/size.test.ts).
import { readdir, readFile, stat } from 'node:fs/promises';
import { buildPages } from '../bin/build.js';
import { initialFiles } from './initial-files.mjs';

const folder = new URL('../dist/console/', import.meta.url);
const assets = new URL('assets/', folder);

await buildPages((line) => console.error(`console-size: ${line}`));
const page = await readFile(new URL('index.html', folder), 'utf8');
const names = await readdir(assets);
const scripts = await initialFiles(page, names, (name) => readFile(new URL(name, assets), 'utf8'));
const styles = [...page.matchAll(/assets\/([^"]+\.css)"/g)].map(([, name]) => name);
for (const [kind, files] of Object.entries({ JavaScript: scripts, styles })) {
  for (const coding of ['br', 'gz']) {
    const sizes = await Promise.all(
      files.map(async (name) => (await stat(new URL(`${name}.${coding}`, assets))).size),
    );
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    console.log(`${kind}, ${coding}: ${bytes.toLocaleString('en')} bytes in ${files.length} files`);
  }
}
