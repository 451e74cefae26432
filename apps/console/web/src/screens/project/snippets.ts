// How an app reaches a project: code to paste, with the address of the project, a place for the key, and a table of the
// project.
import { encoded, shellWord, textLiteral } from '../api/words.js';
import type { SchemaTable } from './schema.js';

export interface Snippet {
  readonly name: string;
  /** What is done before, such as installing the client. */
  readonly before?: string;
  /** The file that the code is saved in. */
  readonly file?: string;
  readonly code: string;
}

/** The table that the code reads. */
export type SnippetTable =
  | { readonly kind: 'existing'; readonly name: string }
  /** `sql` makes it, with a row and a policy: without one an app would read nothing. */
  | { readonly kind: 'missing'; readonly name: string; readonly sql: string }
  /** The operator may not know the tables. */
  | { readonly kind: 'unknown'; readonly name: string };

const unknownTable: SnippetTable = { kind: 'unknown', name: 'your_table' };

const missingTable: SnippetTable = {
  kind: 'missing',
  name: 'notes',
  sql: `create table notes (
  id bigint primary key generated always as identity,
  body text not null
);
alter table notes enable row level security;
create policy "everyone reads" on notes for select using (true);
insert into notes (body) values ('Hello');`,
};

/** The first table that the REST API serves. `tables` is undefined for an operator who may not know them. */
export function snippetTable(tables: readonly SchemaTable[] | undefined): SnippetTable {
  if (!tables) return unknownTable;
  const served = tables.filter(({ isExposed }) => isExposed);
  // The rows of a partition are those of its table, too.
  const first = served.find(({ partitionOf }) => partitionOf === null) ?? served[0];
  return first ? { kind: 'existing', name: first.name } : missingTable;
}

interface Place {
  readonly url: string;
  /** The publishable key, or the name of the variable that has it. */
  readonly key: string;
  /** The name of a table. */
  readonly table: string;
}

/** The snippets of each way to connect, but for psql. */
export function snippetsFor({ url, key, table }: Place): readonly Snippet[] {
  const install = `npm install ${url}/client.tgz`;
  const from = `from(${textLiteral(table)})`;
  const address = `${url}/rest/v1/${encoded(table)}?select=*&limit=10`;
  return [
    {
      name: 'JavaScript',
      before: install,
      file: 'app.js',
      code: `import { createClient } from '@rowhouse/client';

const client = createClient('${url}', '${key}');

const { data, error } = await client.${from}.select('*').limit(10);
if (error) throw new Error(error.message);
console.log(data);`,
    },
    {
      name: 'React',
      before: install,
      file: 'rows.jsx',
      code: `import { createClient } from '@rowhouse/client';
import { useEffect, useState } from 'react';

const client = createClient('${url}', '${key}');

export function Rows() {
  const [rows, setRows] = useState([]);
  useEffect(() => {
    void client
      .${from}
      .select('*')
      .then(({ data }) => setRows(data ?? []));
  }, []);
  return <pre>{JSON.stringify(rows, null, 2)}</pre>;
}`,
    },
    {
      name: 'Next.js',
      before: install,
      file: 'app/page.jsx',
      code: `import { createClient } from '@rowhouse/client';

export const dynamic = 'force-dynamic';

// In .env.local: ROWHOUSE_URL=${url} and ROWHOUSE_KEY=${key}
export default async function Page() {
  const client = createClient(process.env.ROWHOUSE_URL, process.env.ROWHOUSE_KEY);
  const { data } = await client.${from}.select('*');
  return <pre>{JSON.stringify(data, null, 2)}</pre>;
}`,
    },
    {
      name: 'curl',
      code: `curl ${shellWord(address)} \\
  -H ${shellWord(`apikey: ${key}`)}`,
    },
  ];
}
