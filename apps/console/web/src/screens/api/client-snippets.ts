// Code for the client of TypeScript (libs/sdk). A test compiles it with the types of the project.
import type { ApiField, ApiFunction, ApiTable } from './document.js';
import { notes, type Place, type Snippet } from './snippet.js';
import { type Pair, pairOf, planOf } from './table-plan.js';
import { filterName, isPlainColumn, objectLiteral, textLiteral, valueLiteral } from './words.js';

/** The program that the other snippets continue. */
export function clientStart({ url, key }: Place): string {
  return `import { createClient } from '@rowhouse/client';
import type { Database } from './database.js';

const client = createClient<Database>(${textLiteral(url)}, ${textLiteral(key)});`;
}

export function tableSnippets(table: ApiTable): readonly Snippet[] {
  const plan = planOf(table);
  const from = `client\n  .from(${textLiteral(table.name)})`;
  const ask = (...calls: readonly string[]): string =>
    `const { data, error } = await ${from}${calls.map((call) => `\n  ${call}`).join('')};`;
  const filters = plan.row.map(whereText);
  const object = (pairs: readonly Pair[]): string => objectOf(pairs, '  ');
  const order =
    plan.order !== undefined && isPlainColumn(plan.order)
      ? [`.order(${textLiteral(plan.order)}, { ascending: false })`]
      : [];
  const keyNote = plan.hasKey ? {} : { note: notes.noKey };
  return [
    { title: 'Read rows', code: ask(`.select('*')`, ...order, '.limit(10)') },
    {
      title: 'Filter rows',
      code: ask(`.select('*')`, ...filters, ...(plan.hasKey ? ['.maybeSingle()'] : ['.limit(10)'])),
      ...keyNote,
    },
    {
      title: 'Insert a row',
      code: ask(`.insert(${object(plan.insert)})`, '.select()', '.single()'),
    },
    plan.update
      ? {
          title: 'Update rows',
          code: ask(`.update(${object([plan.update])})`, ...filters, '.select()'),
          ...keyNote,
        }
      : { title: 'Update rows', note: notes.readOnly },
    plan.upsert.kind === 'none'
      ? { title: 'Insert or update a row', note: plan.upsert.why }
      : {
          title: 'Insert or update a row',
          code: ask(`.upsert(${object(plan.upsert.values)})`, '.select()'),
        },
    { title: 'Delete rows', code: ask('.delete()', ...filters), ...keyNote },
    { title: 'Write several times in one transaction', code: batchOf(table) },
    { title: 'Receive changes', code: liveOf(table.name) },
  ];
}

export function functionSnippets({ name, overloads }: ApiFunction): readonly Snippet[] {
  return overloads.map((fields, index) => {
    const title = overloads.length > 1 ? `Call, form ${index + 1}` : 'Call';
    if (fields === 'body') return { title, note: notes.body };
    return { title, code: callOf(name, fields) };
  });
}

function callOf(name: string, fields: readonly ApiField[]): string {
  const args = fields.length === 0 ? '' : `, ${objectOf(fields.map(pairOf), '')}`;
  return `const { data, error } = await client.rpc(${textLiteral(name)}${args});`;
}

const objectOf = (pairs: readonly Pair[], indent: string): string =>
  objectLiteral(
    pairs.map(({ name, value }) => [name, valueLiteral(value)]),
    indent,
  );

/** A filter. Names with a meaning in the grammar of filters are quoted, which the parts of `or` permit. */
function whereText({ name, value }: Pair): string {
  if (isPlainColumn(name)) return `.eq(${textLiteral(name)}, ${valueLiteral(value)})`;
  return `.or([[${textLiteral(filterName(name))}, 'eq', ${valueLiteral(value)}]])`;
}

/** An insert, and a change of the row that it has made. */
function batchOf(table: ApiTable): string {
  const { insert, update, row, hasKey } = planOf(table);
  const name = textLiteral(table.name);
  const values = objectOf(insert, '  ');
  const [key] = row;
  if (!update || !key || !hasKey || row.length > 1 || !isPlainColumn(key.name))
    return `const { data, error } = await client.transaction((tx) => {
  tx.from(${name}).insert(${values});
  tx.from(${name}).insert(${values});
});`;
  const column = textLiteral(key.name);
  return `const { data, error } = await client.transaction((tx) => {
  const row = tx.from(${name}).insert(${values});
  tx.from(${name}).update(${objectOf([update], '  ')}).eq(${column}, row.ref(${column}));
});`;
}

function liveOf(table: string): string {
  return `const channel = client
  .channel('changes')
  .on(
    'postgres_changes',
    { event: '*', schema: 'public', table: ${textLiteral(table)} },
    (change) => console.log(change.eventType, change.new, change.old),
  )
  .subscribe();

// When the changes are no longer needed:
await client.removeChannel(channel);`;
}
