// A project's database as provisioning makes it, without a deployment around it: a copy of the template with its
// logins and their rights.
import { readMigrations } from '../../libs/control-plane/src/migration-files.js';
import { ensureClusterRoles } from '../../libs/control-plane/src/provisioning/cluster-roles.js';
import {
  databaseServer,
  withAdmin,
} from '../../libs/control-plane/src/provisioning/database-server.js';
import { dropDatabase } from '../../libs/control-plane/src/provisioning/drop-database.js';
import {
  type DatabaseNames,
  loginKinds,
  namesOf,
  newDatabaseId,
} from '../../libs/control-plane/src/provisioning/names.js';
import {
  createDatabase,
  dropRoles,
  ensureRoles,
  grantRights,
  type LoginPasswords,
} from '../../libs/control-plane/src/provisioning/project-database.js';
import { projectRelease } from '../../libs/control-plane/src/provisioning/release.js';
import {
  ensureTemplates,
  templateName,
} from '../../libs/control-plane/src/provisioning/templates.js';
import { testDatabaseUrl } from './test-server.js';

export interface ProjectCopy {
  readonly names: DatabaseNames;
  /** Of every login. */
  readonly password: string;
  drop(): Promise<void>;
}

/** The templates of servers that this worker has prepared: each next copy finds them. */
const preparations = new Map<string, ReturnType<typeof prepare>>();

export async function copyProject(
  idType: 'text' | 'uuid' = 'text',
  serverUrl = testDatabaseUrl(),
): Promise<ProjectCopy> {
  const server = databaseServer(serverUrl);
  const options = await prepared(serverUrl);
  const names = namesOf(newDatabaseId());
  const password = 'a password of tests';
  const passwords = Object.fromEntries(loginKinds.map((kind) => [kind, password]));
  // Each kind of login has its entry.
  await ensureRoles(server, names, passwords as LoginPasswords);
  // Tests of many hands at once hold more connections than the budget of a process would.
  const unlimited = loginKinds.map((kind) => `alter role "${names[kind]}" connection limit -1;`);
  await withAdmin(server, undefined, (client) => client.query(unlimited.join('\n')));
  await createDatabase(server, names.database, templateName(options, idType));
  await grantRights(server, names);
  return {
    names,
    password,
    async drop() {
      await dropDatabase(server, names.database);
      await dropRoles(server, names);
    },
  };
}

function prepared(serverUrl: string): ReturnType<typeof prepare> {
  const started = preparations.get(serverUrl) ?? prepare(serverUrl);
  preparations.set(serverUrl, started);
  return started;
}

async function prepare(serverUrl: string) {
  const server = databaseServer(serverUrl);
  const release = projectRelease(
    await readMigrations('project'),
    await readMigrations('project-superuser'),
  );
  // The templates of the deployments in other tests.
  const options = { server, release, templatePrefix: 'rowhouse_template' };
  await ensureClusterRoles(server, 'postgres');
  await ensureTemplates(options);
  return options;
}
