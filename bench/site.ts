// The ground on which all targets are measured: one server, one database with tables, rows, users and
// sessions; and the product when it takes part.

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { openEmbeddedPostgres } from '#libs/postgres-server';
import type { Cleanup } from './cleanup.js';
import { insertAccounts } from './database/accounts.js';
import {
  addressOf,
  openClient,
  urlOfDatabase,
  type DatabaseAddress,
} from './database/connection.js';
import { createPlainDatabase } from './database/plain-database.js';
import { ROWS_SQL, TABLES_SQL } from './database/tables.js';
import { CONNECTION_BUDGET } from './demands.js';
import {
  productOptions,
  startProduct,
  type Product,
  type ProductOptions,
  type Project,
} from './product.js';

export interface ServerSite {
  readonly url: string;
  /** The run made it and throws it away; another's keeps no project of ours. */
  readonly isThrownAway: boolean;
  readonly version: string;
  /** The superuser in the server's own database. */
  readonly admin: Client;
}

export interface ProductSite {
  readonly project: Project;
  /** The process that runs now. */
  current(): Product;
  /** Ends the process and starts another on the same data, with the options of the first start unless given. */
  readonly restart: (
    how?: Partial<Pick<ProductOptions, 'isProbed' | 'maxLiveProjects'>>,
  ) => Promise<Product>;
}

export interface Site {
  readonly server: ServerSite;
  readonly address: DatabaseAddress;
  /** The superuser in the measured database. */
  readonly client: Client;
  readonly product: ProductSite | undefined;
}

/** A folder on the disk that the product writes to; it goes with the run. */
export async function temporaryFolder(cleanup: Cleanup): Promise<string> {
  return cleanup.keep(await mkdtemp(join(tmpdir(), 'rowhouse-bench-')), (folder) =>
    rm(folder, { recursive: true, force: true }),
  );
}

// The cluster is thrown away after the run, but while it lasts it is as careful as a real one.
const DURABLE = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };

async function serverUrl(given: string | undefined, cleanup: Cleanup): Promise<string> {
  if (given !== undefined) return given;
  const server = await openEmbeddedPostgres({
    dataDir: await temporaryFolder(cleanup),
    ephemeral: true,
    settings: DURABLE,
    log: {
      info: () => undefined,
      warn: (line) => console.error(line),
      error: (line) => console.error(line),
    },
  });
  return cleanup.keep(server, (opened) => opened.stop()).url;
}

export async function openServer(given: string | undefined, cleanup: Cleanup): Promise<ServerSite> {
  const url = await serverUrl(given, cleanup);
  const admin = cleanup.keep(await openClient(url), (client) => client.end());
  const { rows } = await admin.query<{ server_version: string }>('show server_version');
  return {
    url,
    admin,
    isThrownAway: given === undefined,
    version: rows[0]?.server_version ?? 'unknown',
  };
}

/** Runs the product, keeps the process that runs now, and ends it with the run. */
async function openProduct(
  server: ServerSite,
  isProbed: boolean,
  cleanup: Cleanup,
): Promise<ProductSite> {
  const options = await productOptions({
    databaseUrl: server.url,
    dataDir: await temporaryFolder(cleanup),
    connectionBudget: CONNECTION_BUDGET,
    isProbed,
  });
  let running = await startProduct(options);
  cleanup.keep(undefined, async () => {
    if (!server.isThrownAway) {
      for (const ref of options.created) await running.deleteProject(ref);
    }
    await running.stop();
  });
  const project = await running.createProject('bench');
  return {
    project,
    current: () => running,
    async restart(how) {
      await running.stop();
      running = await startProduct({ ...options, ...how });
      return running;
    },
  };
}

async function openPlainDatabase(server: ServerSite, cleanup: Cleanup): Promise<string> {
  const database = await createPlainDatabase(server.url, server.admin);
  return cleanup.keep(database, async (name) => {
    await server.admin.query(`drop database ${name} with (force)`);
  });
}

async function fillTables(client: Client, product: ProductSite | undefined): Promise<void> {
  if (product === undefined) {
    await client.query(TABLES_SQL);
    await client.query(ROWS_SQL);
  } else {
    await product.current().runSql(product.project, TABLES_SQL);
    await product.current().runSql(product.project, ROWS_SQL);
  }
  await insertAccounts(client);
  await client.query('vacuum (analyze)');
}

export interface SiteOptions {
  readonly databaseUrl: string | undefined;
  readonly withoutProduct: boolean;
  /** Whether the product's process can be asked for its memory. */
  readonly isProbed?: boolean;
}

/** Opens server, product (if it takes part) and the measured database, filled and analysed. */
export async function openSite(options: SiteOptions, cleanup: Cleanup): Promise<Site> {
  const server = await openServer(options.databaseUrl, cleanup);
  const product = options.withoutProduct
    ? undefined
    : await openProduct(server, options.isProbed ?? false, cleanup);
  const database = product?.project.databaseName ?? (await openPlainDatabase(server, cleanup));
  const client = cleanup.keep(await openClient(urlOfDatabase(server.url, database)), (opened) =>
    opened.end(),
  );
  await fillTables(client, product);
  return { server, product, client, address: addressOf(server.url, database) };
}

/** A secret of this run. */
export function runSecret(): string {
  return randomBytes(32).toString('base64url');
}
