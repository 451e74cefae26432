// The packages that the client brings along, so that npm installs it without a registry: socket.io-client, and what that
// needs in Node.js.
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** What a program does not load: types, maps, bundles for pages, tests, notes. */
const unused = /(?:\.map|\.d\.[cm]?ts|^readme\.md|^history\.md)$|^(?:dist|tests?)\//i;

/**
 * Copies the dependencies of a package and theirs into `target`, as installed at `source`. Throws if two of them need
 * different versions of a third.
 */
export async function copyDependencies(source, target) {
  const copied = new Map();
  const copyOf = async (from) => {
    const { dependencies = {} } = await manifestIn(from);
    for (const name of Object.keys(dependencies).sort()) {
      // One after the other: a package may be needed twice.
      const folder = await installedAt(from, name);
      const before = copied.get(name);
      if (before !== undefined && before !== folder) {
        throw new Error(`the client needs two versions of ${name}`);
      }
      if (before !== undefined) continue;
      copied.set(name, folder);
      await copyPackage(folder, join(target, name));
      await copyOf(folder);
    }
  };
  await copyOf(source);
}

/** The folder of an installed package, as Node.js finds it from another one. */
async function installedAt(from, name) {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    const manifest = await manifestIn(candidate).catch(() => undefined);
    if (manifest !== undefined) return candidate;
    if (folder === dirname(folder)) throw new Error(`${name} is not installed; run npm ci first`);
  }
}

async function manifestIn(folder) {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
}

async function copyPackage(folder, target) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const file = join(entry.parentPath, entry.name);
    const path = relative(folder, file).replaceAll('\\', '/');
    if (unused.test(path) || path.includes('node_modules/')) continue;
    const copy = join(target, path);
    await mkdir(dirname(copy), { recursive: true });
    await copyFile(file, copy);
  }
}
