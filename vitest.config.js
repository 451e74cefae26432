import { fileURLToPath } from 'node:url';
import { compile } from './tests/compiler.js';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Vite's own compiler leaves out the types of constructor parameters, by which NestJS finds what to inject. */
const compiler = {
  name: 'compiler',
  enforce: 'pre',
  transform: (text, id) => (id.endsWith('.ts') ? compile(text, id) : undefined),
};

/** Tests that need no server share with those that do what is said here. */
const everywhere = {
  plugins: [compiler],
  oxc: false,
  resolve: {
    alias: [{ find: /^#(libs|apps)\/(.*)$/, replacement: `${root}$1/$2/src/index.ts` }],
  },
};

const hooks = new URL('./tests/support/typescript-hooks.js', import.meta.url).href;

const common = {
  // Node.js loads everything but the tests themselves, as it does in production.
  server: { deps: { external: [/\/(libs|apps|bin|bench|migrations)\/(?!.*\.test\.ts$).*\.ts$/] } },
  execArgv: ['--import', hooks, '--disable-warning=ExperimentalWarning'],
  pool: 'forks',
  // The files of a worker share its modules: the product is loaded once, and not for each of them.
  isolate: false,
  testTimeout: 30_000,
  hookTimeout: 30_000,
};

const servers = ['**/*.pg.test.ts', 'tests/**/*.test.ts'];
const proofs = ['**/*.proof.test.ts'];
const long = ['**/*.long.test.ts'];

export default {
  test: {
    // One more than the two cores that are expected: many tests wait for a server or a clock.
    maxWorkers: 3,
    projects: [
      {
        ...everywhere,
        test: {
          ...common,
          name: 'pure',
          include: ['{libs,apps,bin,bench}/**/*.test.ts'],
          exclude: [...servers, ...long],
        },
      },
      {
        ...everywhere,
        test: {
          ...common,
          name: 'product',
          include: ['{libs,apps,bin,bench}/**/*.pg.test.ts', 'tests/**/*.test.ts'],
          exclude: [...proofs, ...long],
          globalSetup: './tests/global-setup.js',
        },
      },
      {
        ...everywhere,
        test: { ...common, name: 'long', include: long, globalSetup: './tests/global-setup.js' },
      },
      {
        ...everywhere,
        test: { ...common, name: 'proof', include: proofs, globalSetup: './tests/global-setup.js' },
      },
    ],
  },
};
