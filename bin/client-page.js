// The client as ES modules that a page loads without a bundler: client.js, and client-channels.js with the connection of
// channels and the client of Socket.IO, which client.js loads with the first channel.
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';

/** The module that is loaded with the first channel. */
const entryOfChannels = 'realtime/connection.js';

/**
 * Puts the CommonJS modules of a build together. `files` are their texts by path, `names` what the package exports.
 * Returns the texts of the two ES modules.
 */
export async function pageModules(files, { version, names }) {
  const own = reachable(files, 'index.js');
  const channels = reachable(files, entryOfChannels).filter((path) => !own.includes(path));
  const socket = await socketClient();
  return {
    'client.js': `/*! @rowhouse/client ${version}, Apache-2.0 */
const modules = {
${asFunctions(files, own)}};
const loaded = new Map();
function load(path) {
  let exports = loaded.get(path);
  if (exports === undefined) {
    loaded.set(path, (exports = {}));
    modules[path](exports, load);
  }
  return exports;
}
async function loadLater(path) {
  const later = await import('./client-channels.js?v=${version}');
  Object.assign(modules, later.modules);
  return load(path);
}
export const { ${names.join(', ')} } = load('index.js');
`,
    'client-channels.js': `/*! @rowhouse/client ${version}, Apache-2.0 */
${socket.text}
export const modules = {
"socket.io-client"(exports) { exports.io = ${socket.io}; },
${asFunctions(files, channels)}};
`,
  };
}

/** The paths of the modules that one of them imports, and of those that they import. */
function reachable(files, entry) {
  const paths = new Set([entry]);
  for (const path of paths) {
    for (const wanted of importedBy(path, files[path])) paths.add(wanted);
  }
  return [...paths].sort();
}

const imported = /\brequire\("(\.{1,2}\/[^"]+)"\)/g;
/** As TypeScript writes a dynamic import in CommonJS. */
const importedLater =
  /\bPromise\.resolve\(\)\.then\(\(\) => (?:__importStar\()?require\('(\.{1,2}\/[^']+)'\)\)?\)/g;

function importedBy(path, text) {
  return [...text.matchAll(imported)].map(([, wanted]) => resolved(path, wanted));
}

function resolved(path, wanted) {
  return posix.join(posix.dirname(path), wanted);
}

/** Each module becomes a function, and `require` names it by its path from the entry. */
function asFunctions(files, paths) {
  return paths
    .map((path) => {
      const body = files[path]
        .replace(/^"use strict";\n/, '')
        .replaceAll(imported, (_, wanted) => `require(${JSON.stringify(resolved(path, wanted))})`)
        .replaceAll(
          importedLater,
          (_, wanted) => `loadLater(${JSON.stringify(resolved(path, wanted))})`,
        );
      return `${JSON.stringify(path)}(exports, require) {\n${body}},\n`;
    })
    .join('');
}

/** The ES module that socket.io-client publishes for pages, without its exports, and the name of `io` in it. */
async function socketClient() {
  const manifest = createRequire(import.meta.url).resolve('socket.io-client/package.json');
  const module = await readFile(join(dirname(manifest), 'dist/socket.io.esm.min.js'), 'utf8');
  const [text, exports] = module.split(/export\{([^{}]*)\};\s*(?:\/\/# sourceMappingURL=\S+\s*)?$/);
  const [, io] = /(?:^|,)(\w+) as io(?:,|$)/.exec(exports ?? '') ?? [];
  if (io === undefined) throw new Error('socket.io-client does not export io for pages as before');
  return { text: text.trim(), io };
}
