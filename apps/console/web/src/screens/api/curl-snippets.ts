// The same requests as commands.
import type { ApiFunction, ApiTable } from './document.js';
import { notes, type Place, type Snippet } from './snippet.js';
import { type Pair, pairOf, planOf } from './table-plan.js';
import { encoded, filterName, filterText, isPlainColumn, shellWord } from './words.js';

interface Command {
  readonly method?: 'POST' | 'PATCH' | 'DELETE';
  /** Below `/rest/v1/`. */
  readonly path: string;
  readonly query?: readonly (readonly [string, string])[];
  readonly prefer?: string;
  readonly type?: string;
  /** The text of the body. */
  readonly body?: string;
}

function command({ url, key }: Place, given: Command): string {
  const { method, path, query = [], prefer, type = 'application/json', body } = given;
  const search = query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
  const address = `${url}/rest/v1/${path}${search === '' ? '' : `?${search}`}`;
  return [
    `curl -s ${method === undefined ? '' : `-X ${method} `}${shellWord(address)}`,
    `-H ${shellWord(`apikey: ${key}`)}`,
    ...(prefer === undefined ? [] : [`-H ${shellWord(`prefer: ${prefer}`)}`]),
    ...(body === undefined
      ? []
      : [`-H ${shellWord(`content-type: ${type}`)}`, `--data-raw ${shellWord(body)}`]),
  ].join(' \\\n  ');
}

const rowsBack = 'return=representation';

export function tableCommands(table: ApiTable, place: Place): readonly Snippet[] {
  const plan = planOf(table);
  const path = encoded(table.name);
  const filters = plan.row.map(
    ({ name, value }) => [filterName(name), `eq.${filterText(value)}`] as const,
  );
  const run = (given: Omit<Command, 'path'>): string => command(place, { path, ...given });
  const order =
    plan.order === undefined ? [] : [['order', `${filterName(plan.order)}.desc`] as const];
  const keyNote = plan.hasKey ? {} : { note: notes.noKey };
  return [
    { title: 'Read rows', code: run({ query: [['select', '*'], ...order, ['limit', '10']] }) },
    { title: 'Filter rows', code: run({ query: [['select', '*'], ...filters] }), ...keyNote },
    {
      title: 'Insert a row',
      code: run({ method: 'POST', prefer: rowsBack, body: bodyOf(plan.insert) }),
    },
    plan.update
      ? {
          title: 'Update rows',
          code: run({
            method: 'PATCH',
            query: filters,
            prefer: rowsBack,
            body: bodyOf([plan.update]),
          }),
          ...keyNote,
        }
      : { title: 'Update rows', note: notes.readOnly },
    plan.upsert.kind === 'none'
      ? { title: 'Insert or update a row', note: plan.upsert.why }
      : {
          title: 'Insert or update a row',
          code: run({
            method: 'POST',
            prefer: `resolution=merge-duplicates,${rowsBack}`,
            body: bodyOf(plan.upsert.values),
          }),
        },
    { title: 'Delete rows', code: run({ method: 'DELETE', query: filters }), ...keyNote },
    {
      title: 'Write several times in one transaction',
      code: command(place, { path: 'batch', method: 'POST', body: batchOf(table) }),
    },
    { title: 'Receive changes', note: notes.live },
  ];
}

export function functionCommands(
  { name, overloads, bodyType, isReadable }: ApiFunction,
  place: Place,
): readonly Snippet[] {
  const path = `rpc/${encoded(name)}`;
  return overloads.flatMap((fields, index): Snippet[] => {
    const title = overloads.length > 1 ? `Call, form ${index + 1}` : 'Call';
    if (fields === 'body') {
      const body = bodyType === 'application/json' ? '{}' : 'text';
      return [{ title, code: command(place, { method: 'POST', path, type: bodyType, body }) }];
    }
    const pairs = fields.map(pairOf);
    const post: Snippet = {
      title,
      code: command(place, { method: 'POST', path, body: bodyOf(pairs) }),
    };
    // An argument of the name of a parameter needs a body.
    const isPlain = pairs.every(
      ({ name: argument, value }) => typeof value !== 'object' && isPlainColumn(argument),
    );
    if (!isReadable || !isPlain) return [post];
    const query = pairs.map((pair) => [pair.name, filterText(pair.value)] as const);
    return [
      post,
      { title: `${title} with GET, which only reads`, code: command(place, { path, query }) },
    ];
  });
}

/** Values as JSON; a column may have the name `__proto__`. */
const bodyOf = (pairs: readonly Pair[]): string =>
  `{${pairs.map(({ name, value }) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;

function batchOf(table: ApiTable): string {
  const { insert, update, row, hasKey } = planOf(table);
  const model = JSON.stringify(table.name);
  const add = (as: string): string =>
    `{"method":"POST","model":${model},"body":${bodyOf(insert)},"as":"${as}"}`;
  const [key] = row;
  if (!update || !key || !hasKey || row.length > 1)
    return `{"operations":[${add('row')},${add('next')}]}`;
  // A name in a JSON Pointer (RFC 6901).
  const pointer = `/row/0/${key.name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const match = bodyOf([{ name: key.name, value: { $ref: pointer } }]);
  const change = `{"method":"PATCH","model":${model},"match":${match},"body":${bodyOf([update])}}`;
  return `{"operations":[${add('row')},${change}]}`;
}
