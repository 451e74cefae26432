// The records of projects for the data plane, with their secrets opened.
import type { ProjectRecord } from '#libs/database';
import { In, IsNull, Not } from 'typeorm';
import { ProjectDomain } from '../entities/project-domain.entity.js';
import { ProjectKey, type ProjectKeyKind } from '../entities/project-key.entity.js';
import { Project } from '../entities/project.entity.js';
import { type DatabaseNames, type LoginKind, namesOf } from '../provisioning/names.js';
import type { LoginPasswords } from '../provisioning/project-database.js';
import { hostName } from './host-name.js';
import { verdictOn } from './migrate-projects.js';
import { openSecrets } from './project-secrets.js';
import type { ProjectsContext } from './projects-context.js';
import { isRef } from './ref.js';

type RecordsContext = Pick<
  ProjectsContext,
  'dataSource' | 'masterKey' | 'server' | 'release' | 'holdsUpgrades'
>;

/** The project that answers at a host: `<ref>.<root domain>` or one of its verified custom domains. */
export async function findProject(
  context: RecordsContext,
  host: string,
  rootDomain: string,
): Promise<ProjectRecord | undefined> {
  const name = hostName(host);
  const suffix = `.${rootDomain}`;
  if (name.endsWith(suffix)) return getProjectRecord(context, name.slice(0, -suffix.length));
  const found = await context.dataSource.manager.findOneBy(ProjectDomain, {
    domain: name,
    verifiedAt: Not(IsNull()),
  });
  return found === null ? undefined : getProjectRecord(context, found.ref);
}

/** The record of a project, or undefined if there is none that can answer. */
export async function getProjectRecord(
  context: RecordsContext,
  ref: string,
): Promise<ProjectRecord | undefined> {
  if (!isRef(ref)) return undefined;
  const { manager } = context.dataSource;
  // The version is read first: content newer than its version is loaded once more than needed, but older content under
  // a new version would stay.
  const project = await manager.findOneBy(Project, { ref });
  if (project?.status !== 'active' && project?.status !== 'paused') return undefined;
  return recordOf(context, project, project.status);
}

/** The record of a project that is being deleted, to remove its data outside of the database. */
export async function getDeletedRecord(
  context: RecordsContext,
  ref: string,
): Promise<ProjectRecord | undefined> {
  const project = await context.dataSource.manager.findOneBy(Project, { ref });
  // No process serves it, so for the removal it is a paused project.
  return project?.status === 'deleting' ? recordOf(context, project, 'paused') : undefined;
}

async function recordOf(
  context: RecordsContext,
  project: Project,
  status: ProjectRecord['status'],
): Promise<ProjectRecord> {
  const { ref } = project;
  const { manager } = context.dataSource;
  const [domains, keys] = await Promise.all([
    manager.findBy(ProjectDomain, { ref, verifiedAt: Not(IsNull()) }),
    manager.findBy(ProjectKey, { ref, revokedAt: IsNull() }),
  ]);
  const { passwords, dataKey } = openSecrets(context.masterKey, project);
  const names = namesOf(project.databaseId);
  const refusal = await refusalOf(context, project);
  const hashes = (kind: ProjectKeyKind): string[] =>
    keys.filter((key) => key.kind === kind).map(({ hash }) => hash);
  const { host, port, ssl } = context.server;
  return {
    ref,
    name: project.name,
    status,
    ...(refusal && { refusal }),
    version: project.version,
    migratedTo: project.migratedTo,
    idType: project.idType,
    storageQuotaBytes: project.storageQuotaBytes ?? undefined,
    domains: domains.map(({ domain }) => domain),
    database: {
      host,
      port,
      ssl,
      name: names.database,
      logins: databaseLogins(names, passwords),
    },
    keys: {
      publishable: hashes('publishable'),
      secret: hashes('secret'),
      expiresAt: Object.fromEntries(
        keys.flatMap(({ hash, expiresAt }) => (expiresAt ? [[hash, expiresAt.getTime()]] : [])),
      ),
    },
    dataKey,
  };
}

/** Why this release does not serve the project although it is active. */
async function refusalOf(
  context: RecordsContext,
  project: Project,
): Promise<ProjectRecord['refusal']> {
  if (project.upgrading !== null) return 'PROJECT_UPGRADING';
  const verdict = await verdictOn(context, project);
  return verdict === 'serve' || verdict === 'upgrade' ? undefined : verdict;
}

function databaseLogins(
  names: DatabaseNames,
  passwords: LoginPasswords,
): ProjectRecord['database']['logins'] {
  const login = (kind: LoginKind) => ({ user: names[kind], password: passwords[kind] });
  return {
    owner: login('owner'),
    editor: login('editor'),
    api: login('api'),
    engine: login('engine'),
    deleter: login('deleter'),
  };
}

/** The versions of those of the refs that can answer; a deleted project is missing. */
export async function listVersions(
  context: RecordsContext,
  refs: readonly string[],
): Promise<{ readonly ref: string; readonly version: number }[]> {
  const projects = await context.dataSource.manager.find(Project, {
    select: { ref: true, version: true },
    where: { ref: In([...refs]), status: In(['active', 'paused']) },
  });
  return projects.map(({ ref, version }) => ({ ref, version }));
}

/** Records that requests have reached these projects. */
export async function noteUse(
  { dataSource }: RecordsContext,
  refs: readonly string[],
): Promise<void> {
  await dataSource.query('update project set used_at = pg_catalog.now() where ref = any ($1)', [
    refs,
  ]);
}
