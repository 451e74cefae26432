// Completes package-lock.json with the optional packages of other platforms. npm leaves an optional package out of the
// lock when the registry in use does not carry it, and `npm ci` then refuses the lock as out of step. Each missing one
// is added with the version that its parent asks for and the platform in its name. Run after every `npm install`.
import { readFileSync, writeFileSync } from 'node:fs';

const lockFile = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(lockFile, 'utf8'));
const OS_NAMES = { win32: 'win32', windows: 'win32', macos: 'darwin', darwin: 'darwin' };
const CPU_NAMES = { x86_64: 'x64', aarch64: 'arm64', amd64: 'x64' };
const OSES = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const CPUS = [
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];

/** The `os`, `cpu` and `libc` fields of a platform package, read from its name. */
function platformOf(name) {
  const words = name.split(/[/@.-]+/).map((word) => OS_NAMES[word] ?? CPU_NAMES[word] ?? word);
  const os = words.find((word) => OSES.includes(word));
  const cpu = words.find((word) => CPUS.includes(word) || word === 'ppc64le');
  const libc = words.includes('musl')
    ? 'musl'
    : words.some((word) => word === 'gnu' || word === 'glibc')
      ? 'glibc'
      : undefined;
  return {
    ...(cpu && { cpu: [cpu === 'ppc64le' ? 'ppc64' : cpu] }),
    ...(os && { os: [os] }),
    ...(libc && { libc: [libc] }),
  };
}

const exactVersion = (range) => range.replace(/^[\^~]/, '');
let added = 0;
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    const isHeld = [`${path}/node_modules/${name}`, `node_modules/${name}`].some(
      (place) => lock.packages[place],
    );
    if (isHeld) continue;
    const isDev = entry.dev === true || (path === '' && lock.packages[''].devDependencies?.[name]);
    lock.packages[`node_modules/${name}`] = {
      version: exactVersion(range),
      ...(isDev && { dev: true }),
      optional: true,
      ...platformOf(name),
    };
    added += 1;
  }
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)),
);
writeFileSync(lockFile, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`package-lock.json: ${added} optional package(s) added`);
