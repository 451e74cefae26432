// Template databases: a project database is a copy of one, so that creating it runs no migrations. A template is
// complete when it is marked as a template and refuses connections; that is set last.
import type { Client } from 'pg';

import { quoteIdent } from '#libs/wire';
import { withLock } from './advisory-lock.js';
import { hasCurrentCollation } from './collation-version.js';
import { withAdmin, type DatabaseServer } from './database-server.js';
import { migrateTemplate } from './migrate-project-database.js';
import type { ProjectRelease } from './release.js';

const idTypes = ['text', 'uuid'] as const;
export type IdType = (typeof idTypes)[number];

export interface TemplateOptions {
  readonly server: DatabaseServer;
  readonly release: ProjectRelease;
  /** Prefix of the templates. */
  readonly templatePrefix: string;
}

/** The name of the template for an id type. */
export function templateName(options: TemplateOptions, idType: IdType): string {
  return `${options.templatePrefix}_${idType}_${options.release.hash}`;
}

/** Creates the templates of this release that are missing, half-built, or of another collation version. */
export async function ensureTemplates(options: TemplateOptions): Promise<void> {
  const { server, templatePrefix } = options;
  await withAdmin(server, undefined, async (client) => {
    const missing = async (): Promise<readonly IdType[]> => {
      const found = await findTemplates(client, templatePrefix);
      const done = found.filter((template) => template.done).map(({ name }) => name);
      return idTypes.filter((idType) => !done.includes(templateName(options, idType)));
    };
    if ((await missing()).length === 0) return;
    await withLock(client, lockOf(options), async () => {
      for (const idType of await missing()) await buildTemplate(client, options, idType);
    });
  });
}

/** Of the hash at the end of a name. */
const hashLength = 12;

/** How long the drop of one template waits for a session that holds a lock on it; milliseconds. */
const dropLockMs = 1_000;

/**
 * Drops the templates of releases whose hash is not in `running`; those of this release stay. The error of a template
 * that cannot be dropped, for example because a project holds a lock on it, goes to `onFailure`, and the others follow.
 * Only the worker does this: two releases that share a server for a while must not drop each other's templates with
 * every project they create.
 */
export async function dropOtherTemplates(
  options: TemplateOptions,
  running: readonly string[],
  onFailure: (template: string, error: unknown) => void,
): Promise<void> {
  const { server, templatePrefix, release } = options;
  const kept = new Set([release.hash, ...running]);
  await withAdmin(server, undefined, async (client) => {
    const others = async (): Promise<readonly FoundTemplate[]> =>
      (await findTemplates(client, templatePrefix)).filter(
        ({ name }) => !kept.has(name.slice(-hashLength)),
      );
    if ((await others()).length === 0) return;
    await withLock(client, lockOf(options), async () => {
      await client.query(`set lock_timeout = ${dropLockMs}`);
      for (const { name } of await others()) {
        try {
          await dropTemplate(client, name);
        } catch (error) {
          onFailure(name, error);
        }
      }
    });
  });
}

const lockOf = ({ templatePrefix }: TemplateOptions): string =>
  `rowhouse templates ${templatePrefix}`;

interface FoundTemplate {
  readonly name: string;
  readonly done: boolean;
}

async function findTemplates(client: Client, prefix: string): Promise<readonly FoundTemplate[]> {
  const reply = await client.query<FoundTemplate>(
    `select datname as name, datistemplate and not datallowconn and ${hasCurrentCollation} as done
     from pg_database where datname ~ ('^' || $1 || '_(text|uuid)_[0-9a-f]{12}$')`,
    [prefix],
  );
  return reply.rows;
}

async function buildTemplate(
  client: Client,
  options: TemplateOptions,
  idType: IdType,
): Promise<void> {
  const name = templateName(options, idType);
  if ((await findTemplates(client, options.templatePrefix)).some((found) => found.name === name)) {
    await dropTemplate(client, name);
  }
  // template0 contains nothing of the operator's own, and allows UTF8 whatever the server's default is.
  await client.query(`create database ${quoteIdent(name)} template template0 encoding 'UTF8'`);
  await client.query(`revoke all on database ${quoteIdent(name)} from public`);
  await migrateTemplate(options, { database: name, idType });
  await client.query(
    `alter database ${quoteIdent(name)} with allow_connections false is_template true`,
  );
}

async function dropTemplate(client: Client, name: string): Promise<void> {
  await client.query(`alter database ${quoteIdent(name)} with is_template false`);
  await client.query(`drop database if exists ${quoteIdent(name)} with (force)`);
}
