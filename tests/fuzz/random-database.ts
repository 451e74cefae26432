// A real database with a random schema, and its catalog.
import pg from 'pg';

import { type Catalog, loadCatalog } from '#libs/catalog';

import { asSuperuser, testDatabaseUrl } from '../support/deployment.js';
import { randomSchema } from './random-schema.js';

export interface RandomDatabase {
  readonly client: pg.Client;
  readonly catalog: Catalog;
  close(): Promise<void>;
}

// What catalogs are read from and statements call besides the schema of the project.
const FRAME = `
create schema platform;
create table platform.schema_version (version bigint not null);
insert into platform.schema_version values (1);
create schema auth;
create function auth.deny(status text, reason text) returns text language plpgsql as $$
begin raise exception '%', reason using errcode = 'PT' || status; end $$;
`;

/** Makes the database of a seed. Whoever opens it closes it, which drops it. */
export async function openRandomDatabase(seed: number): Promise<RandomDatabase> {
  const name = `fuzz_${seed}_${process.pid}_${Date.now()}`;
  await asSuperuser(`create database ${name}`);
  const url = new URL(testDatabaseUrl());
  url.pathname = `/${name}`;
  const client = new pg.Client(url.href);
  await client.connect();
  const close = async (): Promise<void> => {
    await client.end();
    await asSuperuser(`drop database if exists ${name} with (force)`);
  };
  try {
    await client.query(FRAME + randomSchema(seed).join(';\n'));
    const catalog = await loadCatalog(async (text) => (await client.query(text)).rows);
    return { client, catalog, close };
  } catch (error) {
    await close();
    throw error;
  }
}
