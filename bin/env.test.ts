import { describe, expect, test } from 'vitest';
import { resolve } from 'node:path';
import { parseEnv, type Env } from './env.js';
import { StartError } from './start-error.js';

const smtp = { SMTP_HOST: 'mail.example.com', SMTP_FROM: 'a@example.com' };

test('an empty environment gives the defaults', () => {
  const { publicUrl, consoleUrl, ...env } = parseEnv({});
  expect(env).toEqual({
    roles: ['api', 'console', 'worker'],
    host: '127.0.0.1',
    port: 8000,
    consolePort: 8001,
    dataDir: resolve('data'),
    rootDomain: 'localhost',
    apiInternalUrl: 'http://127.0.0.1:8000',
    trustProxy: [],
    defaultProject: 'demo',
    storage: { driver: 'local' },
    smtpProjects: 'administered',
    projectUpgrades: 'automatic',
    mailInbox: true,
    dnsServers: [],
    outboundAllowedHosts: [],
    edgePublicInvokeEnabled: false,
    studio: true,
    logLevel: 'info',
    connectionBudget: 60,
    projectConnections: 8,
    apiProcesses: 1,
    replyMemoryMb: 256,
    replySpoolMb: 2048,
    functionProcesses: 32,
    maxLiveProjects: 200,
    preStopSeconds: 0,
    drainSeconds: 15,
    deletedProjectDays: 7,
  });
  expect(publicUrl.origin).toBe('http://localhost:8000');
  expect(consoleUrl.origin).toBe('http://localhost:8001');
});

test('an empty value counts as absent', () => {
  const names = [
    'PORT',
    'HOST',
    'DATABASE_URL',
    'MASTER_KEY',
    'ROLES',
    'OPERATOR_EMAIL',
    'SMTP_HOST',
  ];
  expect(parseEnv(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(parseEnv({}));
});

test('the result cannot be changed', () => {
  expect(Object.isFrozen(parseEnv({}))).toBe(true);
});

describe('a good value', () => {
  test.each<{
    name: string;
    source: Record<string, string>;
    read: (env: Env) => unknown;
    value: unknown;
  }>([
    {
      name: 'PORT moves the public URL',
      source: { PORT: '80' },
      read: (env) => env.publicUrl.origin,
      value: 'http://localhost',
    },
    {
      name: 'ROOT_DOMAIN in capitals',
      source: { ROOT_DOMAIN: 'Example.COM' },
      read: (env) => env.rootDomain,
      value: 'example.com',
    },
    {
      name: 'PUBLIC_URL behind a proxy',
      source: { ROOT_DOMAIN: 'example.com', PUBLIC_URL: 'https://example.com' },
      read: (env) => env.publicUrl.origin,
      value: 'https://example.com',
    },
    {
      name: 'CONSOLE_URL',
      source: { CONSOLE_URL: 'https://ops.example.com/' },
      read: (env) => env.consoleUrl.origin,
      value: 'https://ops.example.com',
    },
    {
      name: 'HOST is where the console reaches the API',
      source: { HOST: '::1' },
      read: (env) => env.apiInternalUrl,
      value: 'http://[::1]:8000',
    },
    {
      name: 'HOST of all interfaces is reached on loopback',
      source: { HOST: '0.0.0.0' },
      read: (env) => env.apiInternalUrl,
      value: 'http://127.0.0.1:8000',
    },
    {
      name: 'API_INTERNAL_URL',
      source: { API_INTERNAL_URL: 'http://api:9000/' },
      read: (env) => env.apiInternalUrl,
      value: 'http://api:9000',
    },
    {
      name: 'TRUST_PROXY with spaces',
      source: { TRUST_PROXY: '10.0.0.0/8, ::1' },
      read: (env) => env.trustProxy,
      value: ['10.0.0.0/8', '::1'],
    },
    {
      name: 'DNS_SERVERS with and without ports',
      source: { DNS_SERVERS: '192.0.2.53,[2001:db8::53]:5353' },
      read: (env) => env.dnsServers,
      value: ['192.0.2.53', '[2001:db8::53]:5353'],
    },
    {
      name: 'OUTBOUND_ALLOWED_HOSTS with and without ports',
      source: { OUTBOUND_ALLOWED_HOSTS: 'IdP.internal:8443, 10.0.0.7, [::1]:80' },
      read: (env) => env.outboundAllowedHosts,
      value: ['idp.internal:8443', '10.0.0.7', '[::1]:80'],
    },
    {
      name: 'MAIL_INBOX is off where projects have a domain of the world',
      source: { ROOT_DOMAIN: 'example.com' },
      read: (env) => env.mailInbox,
      value: false,
    },
    {
      name: 'MAIL_INBOX asked for there',
      source: { ROOT_DOMAIN: 'example.com', MAIL_INBOX: 'true' },
      read: (env) => env.mailInbox,
      value: true,
    },
    {
      name: 'a secret that ends with a line break',
      source: { METRICS_TOKEN: 'a token of metrics\n' },
      read: (env) => env.metricsToken,
      value: 'a token of metrics',
    },
    {
      name: 'DEFAULT_PROJECT none',
      source: { DEFAULT_PROJECT: 'none' },
      read: (env) => env.defaultProject,
      value: undefined,
    },
    {
      name: 'ROLES',
      source: { ROLES: 'api, worker' },
      read: (env) => env.roles,
      value: ['api', 'worker'],
    },
    {
      name: 'a flag as a digit',
      source: { EDGE_PUBLIC_INVOKE_ENABLED: '1' },
      read: (env) => env.edgePublicInvokeEnabled,
      value: true,
    },
    {
      name: 'a small budget lowers the share of a project',
      source: { CONNECTION_BUDGET: '4' },
      read: (env) => env.projectConnections,
      value: 2,
    },
    {
      name: 'the number of API processes',
      source: { API_PROCESSES: '3' },
      read: (env) => env.apiProcesses,
      value: 3,
    },
    {
      name: 'megabytes of the disk',
      source: { DISK_RESERVE_MB: '3' },
      read: (env) => env.diskReserveBytes,
      value: 3 * 1024 ** 2,
    },
    {
      name: 'megabytes of the database of a project',
      source: { PROJECT_DATABASE_MB: '3' },
      read: (env) => env.projectDatabaseBytes,
      value: 3 * 1024 ** 2,
    },
    {
      name: 'megabytes of a project',
      source: { PROJECT_STORAGE_MB: '3' },
      read: (env) => env.projectStorageBytes,
      value: 3 * 1024 ** 2,
    },
    {
      name: 'DRAIN_SECONDS 0',
      source: { DRAIN_SECONDS: '0' },
      read: (env) => env.drainSeconds,
      value: 0,
    },
    {
      name: 'PROJECT_UPGRADES manual',
      source: { PROJECT_UPGRADES: 'manual' },
      read: (env) => env.projectUpgrades,
      value: 'manual',
    },
    {
      name: 'DELETED_PROJECT_DAYS 0',
      source: { DELETED_PROJECT_DAYS: '0' },
      read: (env) => env.deletedProjectDays,
      value: 0,
    },
    {
      name: 'the operator',
      source: { OPERATOR_EMAIL: 'a@b.c', OPERATOR_PASSWORD: 'twelve chars' },
      read: (env) => env.operator,
      value: { email: 'a@b.c', password: 'twelve chars' },
    },
    {
      name: 'SMTP without a user',
      source: smtp,
      read: (env) => env.smtp,
      value: { host: 'mail.example.com', port: 587, secure: false, from: 'a@example.com' },
    },
    ...[
      { source: {}, value: 'administered' },
      { source: { SMTP_PROJECTS: 'all' }, value: 'all' },
      { source: { SMTP_PROJECTS: 'none' }, value: [] },
      { source: { SMTP_PROJECTS: 'shop, demo' }, value: ['shop', 'demo'] },
    ].map((row) => ({
      ...row,
      name: `${JSON.stringify(row.source)} decides who sends over SMTP`,
      read: (env: Env) => env.smtpProjects,
    })),
    {
      name: 'SMTP on port 465 is TLS',
      source: { ...smtp, SMTP_PORT: '465' },
      read: (env) => env.smtp?.secure,
      value: true,
    },
    {
      name: 'SMTP_SECURE means port 465',
      source: { ...smtp, SMTP_SECURE: 'true' },
      read: (env) => env.smtp?.port,
      value: 465,
    },
  ])('$name', ({ source, read, value }) => {
    expect(read(parseEnv(source))).toEqual(value);
  });
});

describe('a bad value is refused in one line that names the variable', () => {
  test.each<[message: string, source: Record<string, string>]>([
    ['PORT must be a whole number from 1 to 65535, not "0"', { PORT: '0' }],
    ['PORT must be a whole number from 1 to 65535, not "8e3"', { PORT: '8e3' }],
    ['PORT must be a whole number from 1 to 65535, not "65536"', { PORT: '65536' }],
    ['CONSOLE_PORT must be a whole number from 1 to 65535, not "-1"', { CONSOLE_PORT: '-1' }],
    ['CONSOLE_PORT must be another port than PORT, not "8000"', { CONSOLE_PORT: '8000' }],
    ['HOST must be an address or a host name, not "a b"', { HOST: 'a b' }],
    [
      'ROOT_DOMAIN must be a domain such as example.com, not "exa_mple"',
      { ROOT_DOMAIN: 'exa_mple' },
    ],
    ['PUBLIC_URL must be a URL such as https://example.com', { PUBLIC_URL: 'ftp://localhost' }],
    [
      'PUBLIC_URL must be an origin (scheme, host and port, nothing behind them)',
      { PUBLIC_URL: 'http://localhost/a' },
    ],
    [
      'PUBLIC_URL must be an origin of ROOT_DOMAIN (localhost), not "https://a.com"',
      { PUBLIC_URL: 'https://a.com' },
    ],
    ['CONSOLE_URL must be a URL such as https://example.com', { CONSOLE_URL: 'ops' }],
    [
      'API_INTERNAL_URL must be a URL such as https://example.com',
      { API_INTERNAL_URL: 'api:9000' },
    ],
    [
      'TRUST_PROXY must be a list of addresses and networks such as 10.0.0.0/8, not "proxy"',
      { TRUST_PROXY: '::1,proxy' },
    ],
    [
      'TRUST_PROXY must be a list of addresses and networks such as 10.0.0.0/8, not "10.0.0.0/33"',
      { TRUST_PROXY: '10.0.0.0/33' },
    ],
    [
      'OUTBOUND_ALLOWED_HOSTS must be a list of hosts such as idp.internal:8443, not "http://idp"',
      { OUTBOUND_ALLOWED_HOSTS: 'http://idp' },
    ],
    [
      'DATABASE_URL must be a URL such as postgres://user:password@host:5432/postgres',
      { DATABASE_URL: 'mysql://root:hush@db' },
    ],
    ['REDIS_URL must be a URL such as redis://host:6379', { REDIS_URL: 'host:6379' }],
    ['MASTER_KEY must be 32 to 4096 characters long', { MASTER_KEY: 'too short' }],
    ['OPERATOR_EMAIL must be an email address, not "ann"', { OPERATOR_EMAIL: 'ann' }],
    [
      'OPERATOR_PASSWORD must be 12 to 128 characters long',
      { OPERATOR_EMAIL: 'a@b.c', OPERATOR_PASSWORD: 'eleven char' },
    ],
    [
      'OPERATOR_PASSWORD must be 12 to 128 characters long',
      { OPERATOR_EMAIL: 'a@b.c', OPERATOR_PASSWORD: 'e\u0301'.repeat(11) },
    ],
    ['OPERATOR_EMAIL and OPERATOR_PASSWORD must be given together', { OPERATOR_EMAIL: 'a@b.c' }],
    [
      'OPERATOR_EMAIL and OPERATOR_PASSWORD must be given together',
      { OPERATOR_PASSWORD: 'twelve chars' },
    ],
    [
      'DEFAULT_PROJECT must be the ref of a project, or none, not "a.b"',
      { DEFAULT_PROJECT: 'a.b' },
    ],
    ['S3_BUCKET must be given with STORAGE_DRIVER=s3', { STORAGE_DRIVER: 's3' }],
    ['S3_BUCKET must be given with the other S3 variables', { S3_REGION: 'eu-central-1' }],
    [
      'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be given with S3_BUCKET',
      { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id' },
    ],
    [
      'S3_BUCKET must be the name of a bucket, not "a/b"',
      { S3_BUCKET: 'a/b', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'key' },
    ],
    ['STORAGE_DRIVER must be one of local, s3, not "disk"', { STORAGE_DRIVER: 'disk' }],
    ['SMTP_HOST must be given with the other SMTP variables', { SMTP_USER: 'ann' }],
    [
      'SMTP_HOST must be an address or a host name, not "smtp://a"',
      { ...smtp, SMTP_HOST: 'smtp://a' },
    ],
    ['SMTP_FROM must be given with SMTP_HOST', { SMTP_HOST: 'a' }],
    [
      'SMTP_PROJECTS must be all, none, or refs of projects with commas between them, not "Shop"',
      { SMTP_PROJECTS: 'Shop' },
    ],
    [
      'SMTP_FROM must be a sender such as Rowhouse <no-reply@example.com>, not "ann"',
      { ...smtp, SMTP_FROM: 'ann' },
    ],
    [
      'SMTP_PORT must be a whole number from 1 to 65535, not "smtp"',
      { ...smtp, SMTP_PORT: 'smtp' },
    ],
    ['SMTP_SECURE must be one of true, false, 1, 0, not "yes"', { ...smtp, SMTP_SECURE: 'yes' }],
    ['SMTP_USER and SMTP_PASSWORD must be given together', { ...smtp, SMTP_PASSWORD: 'hush' }],
    [
      'EDGE_PUBLIC_INVOKE_ENABLED must be one of true, false, 1, 0, not "on"',
      { EDGE_PUBLIC_INVOKE_ENABLED: 'on' },
    ],
    [
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud"',
      { LOG_LEVEL: 'loud' },
    ],
    ['ROLES must be a list out of api, console, worker, not "db"', { ROLES: 'api,db' }],
    ['METRICS_TOKEN must be 16 to 1024 characters long', { METRICS_TOKEN: 'short' }],
    ['API_PROCESSES must be a whole number from 1 to 1000, not "0"', { API_PROCESSES: '0' }],
    [
      'CONNECTION_BUDGET must be a whole number from 2 to 10000, not "1"',
      { CONNECTION_BUDGET: '1' },
    ],
    [
      'PROJECT_CONNECTIONS must be a whole number from 1 to 60, not "61"',
      { PROJECT_CONNECTIONS: '61' },
    ],
    [
      'MAX_LIVE_PROJECTS must be a whole number from 1 to 100000, not "0"',
      { MAX_LIVE_PROJECTS: '0' },
    ],
    ['PROJECT_UPGRADES must be one of automatic, manual, not "no"', { PROJECT_UPGRADES: 'no' }],
    [
      'DELETED_PROJECT_DAYS must be a whole number from 0 to 3650, not "forever"',
      { DELETED_PROJECT_DAYS: 'forever' },
    ],
    ['PRE_STOP_SECONDS must be a whole number from 0 to 600, not "-1"', { PRE_STOP_SECONDS: '-1' }],
    ['DRAIN_SECONDS must be a whole number from 0 to 3600, not "1.5"', { DRAIN_SECONDS: '1.5' }],
  ])('%s', (message, source) => {
    expect(() => parseEnv(source)).toThrow(new StartError(message));
  });
});
