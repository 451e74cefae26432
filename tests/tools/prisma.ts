// The files of a Prisma project whose schema engine (WebAssembly, over @prisma/adapter-pg) reads a database. Prisma's
// other engine is a program of a server that is not the registry.

// The adapter of version 6.19 refuses columns of the types "char" and name, which the engine reads from the catalogs
// of every PostgreSQL. The engine wants a character for "char" and a text for name. As a text, the "char" of a NOT NULL
// constraint ends the engine with "unreachable": PostgreSQL 18 lists these constraints (prisma/orm#29635).
const config = `
import { defineConfig } from 'prisma/config';
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import pg from 'pg';

const typesOfCatalogs = { 18: 25, 19: 25, 1003: 1009 };
const characters = new Set();

class Pool extends pg.Pool {
  async query(...question) {
    const result = await super.query(...question);
    for (const field of result.fields ?? []) {
      if (field.dataTypeID === 18) characters.add(field.name);
      field.dataTypeID = typesOfCatalogs[field.dataTypeID] ?? field.dataTypeID;
    }
    return result;
  }
}

class Factory extends PrismaPg {
  async connect() {
    const adapter = await super.connect();
    const query = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (question) => {
      const result = await query(question);
      const typeOf = (name, at) => characters.has(name) ? ColumnTypeEnum.Character : result.columnTypes[at];
      return { ...result, columnTypes: result.columnNames.map(typeOf) };
    };
    return adapter;
  }
}

export default defineConfig({
  schema: 'schema.prisma',
  experimental: { adapter: true },
  engine: 'js',
  adapter: async () => new Factory(new Pool({ connectionString: process.env.DATABASE_URL })),
});
`;

// The address is not used, but without one Prisma asks for its other engine.
const schema = `
datasource db {
  provider = "postgresql"
  url      = "postgres://unused"
}
generator client {
  provider   = "prisma-client"
  output     = "./generated"
  engineType = "client"
}
`;

/** The database is the one of DATABASE_URL. */
export const prismaFiles = { 'prisma.config.mjs': config, 'schema.prisma': schema };
