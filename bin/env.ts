// Every environment variable that the product knows, parsed once into one frozen value. Nothing else
// reads process.env.
import { scryptSync } from 'node:crypto';
import { resolve } from 'node:path';

import { normalizePassword } from '#libs/passwords';
import { DRIVER_KINDS, type DriverKind } from '#libs/wire';

import { EnvReader, refused } from './env-reader.js';
import { describeEnv, type GivenVariable } from './env-variables.js';
import { StartError } from './start-error.js';

const roles = ['api', 'console', 'worker'] as const;
const projectUpgrades = ['automatic', 'manual'] as const;
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

type Role = (typeof roles)[number];
export type LogLevel = (typeof logLevels)[number];

/** How to reach the mail server of the deployment. */
interface SmtpEnv {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. */
  readonly secure: boolean;
  readonly user?: string;
  readonly password?: string;
  readonly from: string;
}

/** The default store for the files of projects. */
interface StorageEnv {
  readonly driver: DriverKind;
  /** Absent: a project that wants a store names its own. */
  readonly s3?: S3Env;
}

interface S3Env {
  /** Absent: Amazon S3. */
  readonly endpoint?: URL;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly forcePathStyle: boolean;
}

export interface Env {
  /** The parts that this process runs. */
  readonly roles: readonly Role[];
  readonly host: string;
  readonly port: number;
  readonly consolePort: number;
  /** An absolute path. */
  readonly dataDir: string;
  /** Projects answer at `<ref>.<rootDomain>`. */
  readonly rootDomain: string;
  /** Public origin of `rootDomain`; each project's differs by its first label. */
  readonly publicUrl: URL;
  /** Public origin of the console. */
  readonly consoleUrl: URL;
  /** Where the console's proxy reaches the API, without a trailing slash. */
  readonly apiInternalUrl: string;
  /** Addresses and networks whose `x-forwarded-for` is trusted. */
  readonly trustProxy: readonly string[];
  /** A superuser of the operator's own PostgreSQL; absent: the embedded one. */
  readonly databaseUrl?: string;
  readonly redisUrl?: string;
  /** 32 bytes; absent: the key in the data folder. */
  readonly masterKey?: Buffer;
  /** The key of a MASTER_KEY with blanks or line breaks around it, as earlier releases derived it. */
  readonly formerMasterKey?: Buffer;
  readonly operator?: { readonly email: string; readonly password: string };
  /** The project that answers for every unknown host. */
  readonly defaultProject?: string;
  readonly storage: StorageEnv;
  readonly smtp?: SmtpEnv;
  /**
   * The projects that may send over `smtp`, by ref, unless their records say otherwise. `administered`: all; the records
   * of those that other operators than administrators create say no.
   */
  readonly smtpProjects: 'all' | 'administered' | readonly string[];
  /** Whether projects without a mail server keep their mails for operators to read. */
  readonly mailInbox: boolean;
  /**
   * Name servers for the verification of custom domains, as `address` or `address:port`; empty: those of the system.
   */
  readonly dnsServers: readonly string[];
  /** `host` or `host:port` that projects may call although it is not public. */
  readonly outboundAllowedHosts: readonly string[];
  readonly edgePublicInvokeEnabled: boolean;
  /** Processes of edge functions, over all projects. */
  readonly functionProcesses: number;
  /** Whether projects serve their studio. */
  readonly studio: boolean;
  readonly logLevel: LogLevel;
  /** The bearer token for /metrics; absent: only this machine may read it. */
  readonly metricsToken?: string;
  /** Connections to project databases, over all projects. */
  readonly connectionBudget: number;
  /** The most of them that one project may hold. */
  readonly projectConnections: number;
  /** Processes of the deployment with the role `api`. The worker multiplies it by its own `projectConnections`. */
  readonly apiProcesses: number;
  /** Memory for large replies that wait for their readers, in megabytes. */
  readonly replyMemoryMb: number;
  /** Space in the data folder for replies that do not fit into that memory, in megabytes. */
  readonly replySpoolMb: number;
  /** Projects kept open at once. */
  readonly maxLiveProjects: number;
  /** Bytes that files leave free on the disk of the data folder; absent: a share of the disk. */
  readonly diskReserveBytes?: number;
  /** The most bytes that the files of a project may have unless it has a limit of its own; absent: no limit. */
  readonly projectStorageBytes?: number;
  /** The most bytes that the database of a project without a limit of its own may take. */
  readonly projectDatabaseBytes?: number;
  /**
   * How long the process keeps serving after the signal to stop, so that load balancers notice that it is not ready.
   */
  readonly preStopSeconds: number;
  /** How long requests may go on after that. */
  readonly drainSeconds: number;
  /** How long a deleted project can be restored; 0: not at all. */
  readonly deletedProjectDays: number;
  /** Whether projects are upgraded at the start and at their first use, or by `rowhouse upgrade` alone. */
  readonly projectUpgrades: (typeof projectUpgrades)[number];
}

/** Parses the environment. Throws StartError with one line about the first variable that is wrong. */
export function parseEnv(source: NodeJS.ProcessEnv): Env {
  const reader = new EnvReader(source);
  const addresses = readAddresses(reader);
  return Object.freeze({
    roles: reader.choices('ROLES', roles) ?? roles,
    ...addresses,
    ...readLimits(reader),
    ...readSecrets(reader),
    ...absentOr('databaseUrl', readDatabaseUrl(reader)),
    ...absentOr(
      'redisUrl',
      reader.url('REDIS_URL', ['redis:', 'rediss:'], 'redis://host:6379')?.href,
    ),
    ...absentOr('smtp', readSmtp(reader)),
    smtpProjects: readSmtpProjects(reader),
    ...absentOr('defaultProject', readDefaultProject(reader)),
    dataDir: resolve(reader.text('DATA_DIR') ?? 'data'),
    trustProxy: reader.networks('TRUST_PROXY') ?? [],
    storage: readStorage(reader),
    dnsServers: readDnsServers(reader),
    outboundAllowedHosts: reader.hosts('OUTBOUND_ALLOWED_HOSTS') ?? [],
    projectUpgrades: reader.choice('PROJECT_UPGRADES', projectUpgrades) ?? 'automatic',
    mailInbox: reader.flag('MAIL_INBOX') ?? addresses.rootDomain === 'localhost',
    edgePublicInvokeEnabled: reader.flag('EDGE_PUBLIC_INVOKE_ENABLED') ?? false,
    studio: reader.flag('STUDIO') ?? true,
    logLevel: reader.choice('LOG_LEVEL', logLevels) ?? 'info',
  });
}

/**
 * Parses the environment of this process and removes variables that libraries would read by themselves: better-auth
 * falls back to its secrets, pg to the connection settings of the shell.
 */
export function takeProcessEnv(): Env {
  const env = parseEnv(process.env);
  for (const name of Object.keys(process.env)) {
    if (/^(BETTER_AUTH_|AUTH_SECRET$|PG[A-Z])/.test(name)) delete process.env[name];
  }
  return env;
}

/** What operators see of the environment of this process: every variable, without the values of secrets. */
export function listProcessVariables(): readonly GivenVariable[] {
  return describeEnv(process.env);
}

/** The secret key of a project for the commands besides `start`; absent: it is an argument. */
export function takeSecretKey(): string | undefined {
  const reader = new EnvReader(process.env);
  return reader.text('ROWHOUSE_SECRET_KEY');
}

/** The address of a project for the commands that ask it; absent: it is an argument. */
export function takeProjectUrl(): string | undefined {
  const reader = new EnvReader(process.env);
  return reader.text('ROWHOUSE_URL');
}

function readAddresses(reader: EnvReader) {
  const port = reader.integer('PORT', { min: 1, max: 65_535 }) ?? 8000;
  const consolePort = reader.integer('CONSOLE_PORT', { min: 1, max: 65_535 }) ?? 8001;
  if (port === consolePort) throw refused('CONSOLE_PORT', 'another port than PORT', String(port));
  const rootDomain = (
    reader.matching('ROOT_DOMAIN', domainPattern, 'a domain such as example.com') ?? 'localhost'
  ).toLowerCase();
  const publicUrl = reader.origin('PUBLIC_URL') ?? new URL(`http://${rootDomain}:${port}`);
  if (publicUrl.hostname !== rootDomain) {
    throw refused('PUBLIC_URL', `an origin of ROOT_DOMAIN (${rootDomain})`, publicUrl.origin);
  }
  const host = reader.matching('HOST', /^[\w.:-]+$/, 'an address or a host name') ?? '127.0.0.1';
  return {
    host,
    port,
    consolePort,
    rootDomain,
    publicUrl,
    consoleUrl: reader.origin('CONSOLE_URL') ?? new URL(`http://localhost:${consolePort}`),
    apiInternalUrl: reader.origin('API_INTERNAL_URL')?.origin ?? originOf(host, port),
  };
}

/** Where a program on this machine reaches a server that listens on `host`. */
function originOf(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function readLimits(reader: EnvReader) {
  const connectionBudget = reader.integer('CONNECTION_BUDGET', { min: 2, max: 10_000 }) ?? 60;
  const projectConnections =
    reader.integer('PROJECT_CONNECTIONS', { min: 1, max: connectionBudget }) ??
    Math.min(8, connectionBudget);
  return {
    connectionBudget,
    // At least two projects have a place in the budget.
    projectConnections: Math.max(1, Math.min(projectConnections, Math.floor(connectionBudget / 2))),
    apiProcesses: reader.integer('API_PROCESSES', { min: 1, max: 1_000 }) ?? 1,
    replyMemoryMb: reader.integer('REPLY_MEMORY_MB', { min: 1, max: 1_000_000 }) ?? 256,
    replySpoolMb: reader.integer('REPLY_SPOOL_MB', { min: 0, max: 10_000_000 }) ?? 2048,
    functionProcesses: reader.integer('FUNCTION_PROCESSES', { min: 1, max: 10_000 }) ?? 32,
    maxLiveProjects: reader.integer('MAX_LIVE_PROJECTS', { min: 1, max: 100_000 }) ?? 200,
    ...absentOr('diskReserveBytes', inBytes(reader.integer('DISK_RESERVE_MB', megabytes))),
    ...absentOr('projectStorageBytes', inBytes(reader.integer('PROJECT_STORAGE_MB', megabytes))),
    ...absentOr('projectDatabaseBytes', inBytes(reader.integer('PROJECT_DATABASE_MB', megabytes))),
    preStopSeconds: reader.integer('PRE_STOP_SECONDS', { min: 0, max: 600 }) ?? 0,
    drainSeconds: reader.integer('DRAIN_SECONDS', { min: 0, max: 3_600 }) ?? 15,
    deletedProjectDays: reader.integer('DELETED_PROJECT_DAYS', { min: 0, max: 3_650 }) ?? 7,
  };
}

const megabytes = { min: 0, max: 999_999_999 };

const inBytes = (count: number | undefined): number | undefined =>
  count === undefined ? undefined : count * 1024 ** 2;

function readSecrets(reader: EnvReader) {
  return {
    ...readMasterKeys(reader),
    ...absentOr('operator', readOperator(reader)),
    ...absentOr('metricsToken', reader.secret('METRICS_TOKEN', { min: 16, max: 1_024 })),
  };
}

function readMasterKeys(reader: EnvReader): Pick<Env, 'masterKey' | 'formerMasterKey'> {
  const text = reader.secret('MASTER_KEY', { min: 32, max: 4_096 })?.trim();
  const given = reader.given('MASTER_KEY');
  if (text === undefined || given === undefined) return {};
  if (text.length < 32) throw refused('MASTER_KEY', '32 to 4096 characters long');
  return { masterKey: keyOf(text), ...(given !== text && { formerMasterKey: keyOf(given) }) };
}

/** 32 bytes in hex or base64 are the key itself; from any other text it is derived. */
function keyOf(value: string): Buffer {
  if (/^[0-9a-f]{64}$/i.test(value)) return Buffer.from(value, 'hex');
  if (/^[\w+/-]{43}=?$/.test(value)) return Buffer.from(value, 'base64');
  return scryptSync(value, 'rowhouse master key', 32);
}

function readOperator(reader: EnvReader): Env['operator'] {
  const email = reader.matching('OPERATOR_EMAIL', /^[^\s@]+@[^\s@]+$/, 'an email address');
  const password = reader.secret('OPERATOR_PASSWORD', { min: 12, max: 128 }, normalizePassword);
  if (email !== undefined && password !== undefined) return { email, password };
  if (email === undefined && password === undefined) return undefined;
  throw new StartError('OPERATOR_EMAIL and OPERATOR_PASSWORD must be given together');
}

function readDatabaseUrl(reader: EnvReader): string | undefined {
  const example = 'postgres://user:password@host:5432/postgres';
  return reader.url('DATABASE_URL', ['postgres:', 'postgresql:'], example)?.href;
}

/** `none` leaves hosts without a project unanswered. */
function readDefaultProject(reader: EnvReader): string | undefined {
  const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
  const ref = reader.matching('DEFAULT_PROJECT', label, 'the ref of a project, or none') ?? 'demo';
  return ref === 'none' ? undefined : ref;
}

function readStorage(reader: EnvReader): StorageEnv {
  const driver = reader.choice('STORAGE_DRIVER', DRIVER_KINDS) ?? 'local';
  const s3 = readS3(reader);
  if (driver === 's3' && !s3)
    throw new StartError('S3_BUCKET must be given with STORAGE_DRIVER=s3');
  return { driver, ...absentOr('s3', s3) };
}

function readS3(reader: EnvReader): S3Env | undefined {
  const endpoint = reader.origin('S3_ENDPOINT');
  const region = reader.matching('S3_REGION', /^[\w-]{1,64}$/, 'a region such as eu-central-1');
  const bucket = reader.matching('S3_BUCKET', /^[\w.-]{1,63}$/, 'the name of a bucket');
  const accessKeyId = reader.matching('S3_ACCESS_KEY_ID', /^[\w:.@-]{1,128}$/, 'an access key id');
  const secretAccessKey = reader.secret('S3_SECRET_ACCESS_KEY', { min: 1, max: 500 });
  const forcePathStyle = reader.flag('S3_FORCE_PATH_STYLE');
  if (bucket === undefined) {
    const given = [endpoint, region, accessKeyId, secretAccessKey, forcePathStyle];
    if (given.every((value) => value === undefined)) return undefined;
    throw new StartError('S3_BUCKET must be given with the other S3 variables');
  }
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new StartError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be given with S3_BUCKET');
  }
  return {
    ...absentOr('endpoint', endpoint),
    region: region ?? 'us-east-1',
    bucket,
    accessKeyId,
    secretAccessKey,
    forcePathStyle: forcePathStyle ?? endpoint !== undefined,
  };
}

function readDnsServers(reader: EnvReader): readonly string[] {
  const list = reader.matching(
    'DNS_SERVERS',
    /^(?:[\d.]+|\[[\da-f:]+\])(?::\d{1,5})?(?:,(?:[\d.]+|\[[\da-f:]+\])(?::\d{1,5})?)*$/i,
    'addresses such as 192.0.2.53 or [2001:db8::53]:5353, with commas between them',
  );
  return list?.split(',') ?? [];
}

function readSmtpProjects(reader: EnvReader): Env['smtpProjects'] {
  const refs = reader.matching(
    'SMTP_PROJECTS',
    /^[a-z][a-z0-9]{2,30}(?: *, *[a-z][a-z0-9]{2,30})*$/,
    'all, none, or refs of projects with commas between them',
  );
  if (refs === undefined) return 'administered';
  if (refs === 'all') return 'all';
  return refs === 'none' ? [] : refs.split(',').map((ref) => ref.trim());
}

function readSmtp(reader: EnvReader): SmtpEnv | undefined {
  const host = reader.matching('SMTP_HOST', /^[\w.:-]+$/, 'an address or a host name');
  const port = reader.integer('SMTP_PORT', { min: 1, max: 65_535 });
  const secure = reader.flag('SMTP_SECURE');
  const user = reader.text('SMTP_USER');
  const password = reader.secret('SMTP_PASSWORD', { min: 1, max: 1_024 });
  const from = reader.matching(
    'SMTP_FROM',
    /@/,
    'a sender such as Rowhouse <no-reply@example.com>',
  );
  if (host === undefined) {
    const given = [port, secure, user, password, from].some((value) => value !== undefined);
    if (given) throw new StartError('SMTP_HOST must be given with the other SMTP variables');
    return undefined;
  }
  if (from === undefined) throw new StartError('SMTP_FROM must be given with SMTP_HOST');
  if ((user === undefined) !== (password === undefined)) {
    throw new StartError('SMTP_USER and SMTP_PASSWORD must be given together');
  }
  return {
    host,
    port: port ?? (secure === true ? 465 : 587),
    secure: secure ?? port === 465,
    from,
    ...absentOr('user', user),
    ...absentOr('password', password),
  };
}

const domainPattern = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

/** `{ key: value }`, or nothing when there is no value: absent fields are left out, not undefined. */
function absentOr<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  // The computed key widens to string; the object has exactly this one.
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: V });
}
