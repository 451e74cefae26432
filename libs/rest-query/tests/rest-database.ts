// A database of its own for a file of tests, and requests on it.
import pg from 'pg';
import { type Catalog, loadCatalog } from '#libs/catalog';
import type { Limits } from '#libs/rest-query';
import { type Answer, LIMITS, type Request, type RunRequest, runnerOf } from './run-request.js';

export interface RestDatabase {
  readonly client: pg.Client;
  readonly catalog: Catalog;
  readonly run: RunRequest;
  /** The body of a request, decoded. */
  json(request: Request): Promise<unknown>;
  /** The body of `GET <table>?<query>`, as it came. */
  get(table: string, query: string, accept?: string): Promise<string>;
  rowsOf(sql: string): Promise<unknown[][]>;
  close(): Promise<void>;
}

// `auth.deny` is the migration's, in short.
const FRAME = `
create schema platform;
create table platform.schema_version (version bigint not null);
insert into platform.schema_version values (1);
create schema auth;
create function auth.deny(status text, reason text) returns text language plpgsql volatile as $$
begin raise exception '%', reason using errcode = 'PT' || status; end $$;
set timezone = 'UTC'; set lc_monetary = 'C';
`;

/** Creates a database with `name` in its name, fills it by `setup` and reads its catalog. */
export async function openRestDatabase(
  name: string,
  setup: string,
  limits: Partial<Limits> = {},
): Promise<RestDatabase> {
  const server = process.env['TEST_DATABASE_URL'] ?? '';
  const database = `rest_query_${name}_${process.pid}_${Date.now()}`;
  const admin = new pg.Client(server);
  await admin.connect();
  await admin.query(`create database ${database}`);
  const client = new pg.Client(Object.assign(new URL(server), { pathname: database }).href);
  const close = async (): Promise<void> => {
    await client.end();
    await admin.query(`drop database if exists ${database} with (force)`);
    await admin.end();
  };
  await client.connect();
  try {
    await client.query(FRAME + setup);
  } catch (error) {
    await close();
    throw error;
  }
  const catalog = await loadCatalog(async (text) => (await client.query(text)).rows);
  const run = runnerOf(client, catalog, { ...LIMITS, ...limits });
  return {
    client,
    catalog,
    run,
    close,
    json: async (request) => parse(await run(request)),
    get: async (table, queryString, accept) =>
      (await run({ table, queryString, headers: { accept } })).body ?? '',
    rowsOf: async (sql) => (await client.query({ text: sql, rowMode: 'array' })).rows,
  };
}

function parse({ body }: Answer): unknown {
  return body === undefined ? undefined : JSON.parse(body);
}
