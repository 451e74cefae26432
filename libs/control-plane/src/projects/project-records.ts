// The records of projects for the data plane, with their secrets opened.
import type { ProjectRecord } from '#libs/database';
import { In, IsNull, Not } from 'typeorm';
import { ProjectDomain } from '../entities/project-domain.entity.js';
import type { ProjectKeyKind } from '../entities/project-key.entity.js';
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
  const row = await findRow(context, ref);
  if (row?.status !== 'active' && row?.status !== 'paused') return undefined;
  return recordOf(context, row, row.status);
}

/** The record of a project that is being deleted, to remove its data outside of the database. */
export async function getDeletedRecord(
  context: RecordsContext,
  ref: string,
): Promise<ProjectRecord | undefined> {
  const row = await findRow(context, ref);
  // No process serves it, so for the removal it is a paused project.
  return row?.status === 'deleting' ? recordOf(context, row, 'paused') : undefined;
}

/** The columns of a project that its record is made of, with its domains and keys. */
interface RecordRow extends Pick<
  Project,
  | 'ref'
  | 'name'
  | 'status'
  | 'idType'
  | 'databaseId'
  | 'sealedDataKey'
  | 'sealedLogins'
  | 'migratedTo'
  | 'migratingTo'
  | 'upgrading'
  | 'upgradeHeld'
  | 'sharedMailServer'
  | 'isAdministered'
> {
  /** The driver returns a bigint as text. */
  readonly version: string;
  readonly storageQuotaBytes: string | null;
  readonly domains: readonly string[];
  readonly keys: readonly {
    readonly kind: ProjectKeyKind;
    readonly hash: string;
    /** Milliseconds since 1970. */
    readonly expiresAt: number | null;
  }[];
}

/** One statement: one round trip, and keys and domains are those of the version. */
const RECORD = `select ref, name, status, id_type as "idType", version, database_id as "databaseId",
    sealed_data_key as "sealedDataKey", sealed_logins as "sealedLogins", migrated_to as "migratedTo",
    migrating_to as "migratingTo", upgrading, upgrade_held as "upgradeHeld",
    storage_quota_bytes as "storageQuotaBytes", shared_mail_server as "sharedMailServer",
    is_administered as "isAdministered",
    array(select domain from project_domain d where d.ref = p.ref and verified_at is not null) as domains,
    (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('kind', kind, 'hash', hash,
        'expiresAt', pg_catalog.floor(extract(epoch from expires_at) * 1000))), '[]')
      from project_key k where k.ref = p.ref and revoked_at is null) as keys
  from project p where ref = $1`;

async function findRow(
  { dataSource }: RecordsContext,
  ref: string,
): Promise<RecordRow | undefined> {
  const rows: RecordRow[] = await dataSource.query(RECORD, [ref]);
  return rows[0];
}

async function recordOf(
  context: RecordsContext,
  row: RecordRow,
  status: ProjectRecord['status'],
): Promise<ProjectRecord> {
  const { ref, domains, keys } = row;
  const { passwords, dataKey } = openSecrets(context.masterKey, row);
  const names = namesOf(row.databaseId);
  const refusal = await refusalOf(context, row);
  const hashes = (kind: ProjectKeyKind): string[] =>
    keys.filter((key) => key.kind === kind).map(({ hash }) => hash);
  const { host, port, ssl } = context.server;
  return {
    ref,
    name: row.name,
    status,
    ...(refusal && { refusal }),
    version: Number(row.version),
    migratedTo: row.migratedTo,
    idType: row.idType,
    storageQuotaBytes: row.storageQuotaBytes === null ? undefined : Number(row.storageQuotaBytes),
    sharedMailServer: row.sharedMailServer ?? undefined,
    isAdministered: row.isAdministered,
    domains,
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
        keys.flatMap(({ hash, expiresAt }) => (expiresAt === null ? [] : [[hash, expiresAt]])),
      ),
    },
    dataKey,
  };
}

/** Why this release does not serve the project although it is active. */
async function refusalOf(
  context: RecordsContext,
  project: Pick<RecordRow, 'upgrading' | 'migratedTo' | 'migratingTo' | 'upgradeHeld'>,
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
    lab: login('lab'),
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
