// Every environment variable that the product knows: what operators read about it. docs/configuration.md has the same
// table, env.ts reads the values; tests compare the three.

/** A variable as operators read about it. Code in the texts is in backticks. */
interface EnvVariable {
  readonly name: string;
  /** Its value if it is absent, in words. */
  readonly default: string;
  readonly meaning: string;
  /** Its value is a credential or contains one: it is never shown. */
  readonly isSecret?: true;
}

export const ENV_VARIABLES: readonly EnvVariable[] = [
  {
    name: 'ROLES',
    default: '`api,console,worker`',
    meaning:
      'The parts that this process runs. `api` serves projects, `console` serves operators. `worker` sends mails and SMS, finishes work that a crash interrupted, migrates projects after upgrades, and removes expired sessions, uploads and stray bytes every hour.',
  },
  {
    name: 'HOST',
    default: '`127.0.0.1`',
    meaning: 'The address that both applications listen on.',
  },
  {
    name: 'PORT',
    default: '`8000`',
    meaning: 'Port of the API.',
  },
  {
    name: 'CONSOLE_PORT',
    default: '`8001`',
    meaning: 'Port of the console.',
  },
  {
    name: 'DATA_DIR',
    default: '`./data`',
    meaning:
      'The data folder: embedded PostgreSQL, master key, first password, folders of projects.',
  },
  {
    name: 'ROOT_DOMAIN',
    default: '`localhost`',
    meaning: 'Projects answer at `<ref>.<ROOT_DOMAIN>`.',
  },
  {
    name: 'PUBLIC_URL',
    default: '`http://<ROOT_DOMAIN>:<PORT>`',
    meaning: 'The public origin of `ROOT_DOMAIN`. With `https`, session cookies are `Secure`.',
  },
  {
    name: 'CONSOLE_URL',
    default: '`http://localhost:<CONSOLE_PORT>`',
    meaning: 'The public origin of the console; links in invitations begin with it.',
  },
  {
    name: 'API_INTERNAL_URL',
    default: 'where `HOST` and `PORT` lead',
    meaning: "Where the console's proxy reaches the API.",
  },
  {
    name: 'TRUST_PROXY',
    default: 'none',
    meaning:
      'Comma-separated addresses or networks (`10.0.0.0/8`) of trusted proxies, whose `X-Forwarded-For` is used.',
  },
  {
    name: 'DNS_SERVERS',
    default: 'those of the system',
    meaning:
      'Comma-separated name servers that prove custom domains, each as `address` or `address:port`.',
  },
  {
    name: 'OUTBOUND_ALLOWED_HOSTS',
    default: 'none',
    meaning:
      'Comma-separated private hosts that projects may call, such as an identity provider or a mail relay of the intranet, each as `host` or `host:port`.',
  },
  {
    name: 'MAIL_INBOX',
    default: '`true` on `localhost`',
    meaning: 'Whether projects without a mail server keep their mails for operators to read.',
  },
  {
    name: 'DEFAULT_PROJECT',
    default: '`demo`',
    meaning:
      'The project that answers for `ROOT_DOMAIN` itself, and for hosts outside of it that belong to no project; with `none` they return 404. The demo project is created if this is `demo` and the deployment has never had a project. Only an administrator of the deployment can create a project with this ref.',
  },
  {
    name: 'DATABASE_URL',
    default: 'embedded PostgreSQL',
    meaning:
      "A superuser's connection string of a PostgreSQL 15 to 18. With `?host=/folder` the platform connects over the Unix socket there, and owners get the host name.",
    isSecret: true,
  },
  {
    name: 'REDIS_URL',
    default: 'none',
    meaning:
      'Carries the signals between processes, their jobs and their rate limits, instead of PostgreSQL.',
    isSecret: true,
  },
  {
    name: 'MASTER_KEY',
    default: '`master.key` in the data folder',
    meaning:
      'Seals the secrets of the deployment. 32 bytes in hex or base64 are the key; a key is derived from any other text of 32 characters or more. Blanks and line breaks around it do not count.',
    isSecret: true,
  },
  {
    name: 'OPERATOR_EMAIL',
    default: '`operator@rowhouse.local`',
    meaning:
      'The first operator. Set together with `OPERATOR_PASSWORD`, and only read while there is no operator.',
  },
  {
    name: 'OPERATOR_PASSWORD',
    default: 'generated',
    meaning:
      '12 to 128 characters. A generated one is printed once, kept in the data folder, and must be changed after the first login.',
    isSecret: true,
  },
  {
    name: 'METRICS_TOKEN',
    default: 'none',
    meaning:
      'Bearer token of `/metrics`, at least 16 characters. Without it, only requests from this machine to `localhost` are allowed.',
    isSecret: true,
  },
  {
    name: 'CONNECTION_BUDGET',
    default: '`60`',
    meaning: 'Connections of this process to project databases.',
  },
  {
    name: 'API_PROCESSES',
    default: '`1`',
    meaning:
      'The number of processes with the role `api`, for the process with the role `worker`: it sets the limits of connections by it and by its own `PROJECT_CONNECTIONS`.',
  },
  {
    name: 'REPLY_MEMORY_MB',
    default: '`256`',
    meaning:
      'Megabytes of memory for replies that wait for their readers. Long bodies of requests have as much again.',
  },
  {
    name: 'REPLY_SPOOL_MB',
    default: '`2048`',
    meaning: 'Megabytes in the data folder for replies that do not fit into that memory.',
  },
  {
    name: 'PROJECT_CONNECTIONS',
    default: '`8`',
    meaning:
      'The most connections of the budget that one project may hold; never more than half. The worker needs the value of the API processes.',
  },
  {
    name: 'PROJECT_STORAGE_MB',
    default: 'no limit',
    meaning: 'Megabytes of files in a project that has no limit of its own.',
  },
  {
    name: 'PROJECT_DATABASE_MB',
    default: 'no limit',
    meaning:
      'Megabytes of the database of a project that has no limit of its own. Read by the worker.',
  },
  {
    name: 'MAX_LIVE_PROJECTS',
    default: '`200`',
    meaning: 'Projects kept in memory at once; the least recently used one is closed first.',
  },
  {
    name: 'DISK_RESERVE_MB',
    default: '5 % of the disk, 2048 at most',
    meaning: 'Megabytes that uploads leave free on the disk of the data folder.',
  },
  {
    name: 'PRE_STOP_SECONDS',
    default: '`0`',
    meaning:
      'How long the process serves on after the signal to stop, while `/readyz` returns 503.',
  },
  {
    name: 'DRAIN_SECONDS',
    default: '`15`',
    meaning: 'How long running requests may go on after the signal to stop.',
  },
  {
    name: 'DELETED_PROJECT_DAYS',
    default: '`7`',
    meaning: 'How long a deleted project can be restored, 0 to 3650 days. 0 deletes it at once.',
  },
  {
    name: 'PROJECT_UPGRADES',
    default: '`automatic`',
    meaning:
      'When projects of an earlier release are upgraded: `automatic` at the start and at their first use; `manual` by `rowhouse upgrade` alone.',
  },
  {
    name: 'LOG_LEVEL',
    default: '`info`',
    meaning:
      '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. `info` writes one line for each request, without its values.',
  },
  {
    name: 'SMTP_HOST',
    default: 'none',
    meaning:
      "The mail server for invitations, and the fallback of the projects' group `email.smtp`. Processes with the roles `console` and `worker` need it. Without it, only administrators of the deployment invite operators, and pass on the link.",
  },
  {
    name: 'SMTP_PORT',
    default: '`587`; `465` with TLS',
    meaning: 'Port of the mail server.',
  },
  {
    name: 'SMTP_SECURE',
    default: '`true` on port 465',
    meaning: 'TLS from the first byte. Otherwise STARTTLS is used if the server offers it.',
  },
  {
    name: 'SMTP_USER',
    default: 'none',
    meaning: 'User of the mail server; set together with `SMTP_PASSWORD`.',
  },
  {
    name: 'SMTP_PASSWORD',
    default: 'none',
    meaning: 'Password of that user.',
    isSecret: true,
  },
  {
    name: 'SMTP_FROM',
    default: 'none',
    meaning: 'The sender; required with `SMTP_HOST`.',
  },
  {
    name: 'SMTP_PROJECTS',
    default: 'those of administrators',
    meaning:
      'The projects that may use the mail server: `all`, `none`, or comma-separated refs. Without it: those that an administrator of the deployment creates. An administrator allows or refuses it for one project. Invitations of operators are always sent.',
  },
  {
    name: 'STORAGE_DRIVER',
    default: '`local`',
    meaning:
      'Where the files of projects without a driver of their own are kept: `local`, a folder below `DATA_DIR`, or `s3`.',
  },
  {
    name: 'S3_BUCKET',
    default: 'none',
    meaning:
      'Bucket of a store with the protocol of Amazon S3. All projects share it, each under a prefix of its own. Requires the two keys.',
  },
  {
    name: 'S3_ACCESS_KEY_ID',
    default: 'none',
    meaning: 'Credentials that may list, read, write and delete in the bucket.',
  },
  {
    name: 'S3_SECRET_ACCESS_KEY',
    default: 'none',
    meaning: 'Credentials that may list, read, write and delete in the bucket.',
    isSecret: true,
  },
  {
    name: 'S3_ENDPOINT',
    default: 'Amazon S3',
    meaning: 'The origin of another store, `https://s3.example.com`; it may be a private address.',
  },
  {
    name: 'S3_REGION',
    default: '`us-east-1`',
    meaning: 'The region of the bucket.',
  },
  {
    name: 'S3_FORCE_PATH_STYLE',
    default: '`true` with `S3_ENDPOINT`',
    meaning: 'Whether the bucket is part of the path, as most stores other than Amazon S3 require.',
  },
  {
    name: 'STUDIO',
    default: '`true`',
    meaning: 'Whether each project serves its studio at `/studio`.',
  },
  {
    name: 'EDGE_PUBLIC_INVOKE_ENABLED',
    default: '`false`',
    meaning: 'Whether functions that are public answer callers without a credential.',
  },
  {
    name: 'FUNCTION_PROCESSES',
    default: '`32`',
    meaning:
      'Processes of edge functions in this process of the server, over all projects; the one that was used least recently ends first. Each needs about 40 MB.',
  },
  {
    name: 'ROWHOUSE_SECRET_KEY',
    default: 'none',
    meaning:
      'Not for the server: the secret key of a project for commands such as `rowhouse gen types`, instead of the option `--key`.',
    isSecret: true,
  },
  {
    name: 'ROWHOUSE_URL',
    default: 'none',
    meaning:
      'Not for the server: the address of a project for `rowhouse functions` and `rowhouse secrets`, instead of the option `--url`.',
  },
];

/** A variable with what the environment of this process says. */
export interface GivenVariable extends Omit<EnvVariable, 'isSecret'> {
  readonly isSecret: boolean;
  readonly isSet: boolean;
  /** Null if it is absent, and for each secret. */
  readonly value: string | null;
}

/** Returns each variable with its value in `source`. An empty value counts as absent; those of secrets are left out. */
export function describeEnv(
  source: Readonly<Record<string, string | undefined>>,
): readonly GivenVariable[] {
  return ENV_VARIABLES.map(({ isSecret = false, ...variable }) => {
    const given = source[variable.name]?.trim() ?? '';
    const isSet = given !== '';
    return { ...variable, isSecret, isSet, value: isSet && !isSecret ? given : null };
  });
}
