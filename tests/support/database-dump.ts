// What a dump of a database shows: every row of every table, and where a text stands in it.
import { asSuperuser } from './deployment.js';

/** The rows of a database by table, as text; bytes are in hexadecimal. */
export type Dump = ReadonlyMap<string, string>;

const listTables = `
  select format('%I.%I', nspname, relname) as name
  from pg_class c join pg_namespace n on n.oid = relnamespace
  where relkind in ('r', 'm') and nspname <> 'information_schema' and nspname !~ '^pg_'
  order by 1`;

/** Reads all tables of a database. */
export async function dumpOf(database: string): Promise<Dump> {
  const tables = (await asSuperuser(listTables, { database })).map(({ name }) => String(name));
  const columns = tables.map(
    (name, index) => `(select string_agg(t::text, chr(10)) from ${name} t) as "${index}"`,
  );
  const [row = {}] = await asSuperuser(`select ${columns.join(', ')}`, { database });
  return new Map(tables.map((name, index) => [name, textOf(row[String(index)])]));
}

/** A table without rows has no text. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The tables in which a text stands, as it is or as bytes. */
export function tablesWith(dump: Dump, text: string): readonly string[] {
  const bytes = Buffer.from(text).toString('hex');
  return [...dump].flatMap(([table, rows]) =>
    rows.includes(text) || rows.includes(bytes) ? [table] : [],
  );
}
