// Requests that follow the grammar, over whatever a catalog holds.
import type { Catalog, Column, Routine, Table } from '#libs/catalog';
import type { RestHeaders, RestInput } from '#libs/rest-query';
import type { Dice } from './dice.js';
import { oddNames } from './odd-names.js';
import { addClauses, filter } from './random-clauses.js';
import { writeSelect } from './random-select.js';
import { samplesOf } from './random-types.js';
import {
  type Draft,
  emptyDraft,
  MARK,
  type Permitted,
  queryString,
  quoted,
  writeName,
} from './request-text.js';

/** A request, and what of it may stand in the text of its statements. */
export interface RandomRequest extends Permitted {
  readonly input: RestInput;
}

const ACCEPTS = [
  'application/json',
  'application/vnd.pgrst.object+json',
  'text/csv',
  'application/geo+json',
  'application/vnd.pgrst.plan',
  'application/vnd.pgrst.plan+json; options=verbose|settings',
  'application/vnd.pgrst.array+json;nulls=stripped',
  'application/vnd.pgrst.plan; for="text/csv"',
];
const PREFERENCES = [
  'count=exact',
  'count=planned',
  'count=estimated',
  'return=minimal',
  'return=headers-only',
  'tx=rollback',
  'missing=default',
  'max-affected=3',
  'handling=lenient',
  'unknown=value',
];

/** A request on one of the tables or functions of a catalog. */
export function randomRequest(dice: Dice, catalog: Catalog): RandomRequest {
  const draft = emptyDraft(dice, catalog);
  const tables = [...catalog.tableByName.values()];
  const routines = [...(catalog.routines.get('public')?.values() ?? [])].flat();
  const kind = dice.upTo(9);
  const written =
    kind < 5
      ? read(draft, dice.pick(tables))
      : kind < 8
        ? write(draft, dice.pick(tables))
        : call(draft, dice.pick(routines));
  return { ...draft, input: { ...written, queryString: queryString(draft) } };
}

/** A request without its query string. */
export type Written = Omit<RestInput, 'queryString'>;

function read(draft: Draft, table: Table): Written {
  const { dice } = draft;
  addShown(draft, table);
  return {
    method: dice.chance(10) ? 'HEAD' : 'GET',
    resource: { kind: 'table', name: table.name },
    headers: headers(
      dice,
      dice.many({ most: 2, percent: 25 }, () => dice.pick(PREFERENCES)),
    ),
  };
}

function addShown(draft: Draft, table: Table): void {
  const { dice, parameters } = draft;
  const level = { table, prefix: '' };
  if (dice.chance(5)) addClauses(draft, { ...level, embeds: [] }, { isRoot: true });
  else {
    const select = writeSelect(draft, { ...level, depth: 0, nextAlias: oddNames(dice) });
    parameters.push(['select', select]);
  }
}

function headers(dice: Dice, preferences: readonly string[]): RestHeaders {
  return {
    prefer: preferences.length === 0 ? undefined : preferences.join(', '),
    accept: dice.chance(30) ? dice.pick(ACCEPTS) : undefined,
    range: dice.chance(5) ? `${dice.upTo(3)}-${dice.upTo(9)}` : undefined,
  };
}

/** An insert, an update or a delete. */
export function write(draft: Draft, table: Table): Written {
  const { dice } = draft;
  const method = dice.pick(['POST', 'PATCH', 'DELETE'] as const);
  const preferences = dice.many({ most: 2, percent: 30 }, () => dice.pick(PREFERENCES));
  const shows = dice.chance(70);
  if (shows) {
    addShown(draft, table);
    preferences.push('return=representation');
    // A write has no window of its own, and an insert no filter.
    const isOwn = (name: string): boolean => method === 'POST' && !/^select$|\./.test(name);
    drop(draft, (name) => name === 'limit' || name === 'offset' || isOwn(name));
  }
  if (method === 'POST') addUpsert(draft, table, preferences);
  else draft.parameters.push(filter(draft, { table, prefix: '', embeds: [] }));
  const body = method === 'DELETE' ? undefined : writeBody(draft, table, method);
  return {
    method,
    resource: { kind: 'table', name: table.name },
    headers: headers(dice, preferences),
    body,
  };
}

function drop({ parameters }: Draft, isDropped: (name: string) => boolean): void {
  parameters.splice(0, Infinity, ...parameters.filter(([name]) => !isDropped(name)));
}

function addUpsert({ dice, parameters }: Draft, table: Table, preferences: string[]): void {
  if (!dice.chance(30)) return;
  preferences.push(`resolution=${dice.pick(['merge', 'ignore'])}-duplicates`);
  if (dice.chance(50)) return;
  const key = dice.pick([{ columns: table.primaryKey }, ...table.uniqueKeys]).columns;
  const columns = dice.chance(80) ? key : [dice.pick(table.columns).name];
  parameters.push(['on_conflict', columns.map((name) => writeName(dice, name)).join(',')]);
}

function writeBody(draft: Draft, table: Table, method: 'POST' | 'PATCH'): Buffer {
  const { dice, parameters } = draft;
  const columns = dice.many({ most: 5, percent: 75 }, () => dice.pick(table.columns));
  if (dice.chance(15)) {
    const listed = new Set([...columns, dice.pick(table.columns)]);
    parameters.push(['columns', [...listed].map(({ name }) => quoted(name)).join(',')]);
  }
  const row = () =>
    Object.fromEntries(
      columns
        .filter(() => !dice.chance(10))
        .map((column) => [column.name, jsonValue(dice, column)]),
    );
  const isArray = method === 'POST' && dice.chance(40);
  return Buffer.from(JSON.stringify(isArray ? dice.many({ most: 3, percent: 60 }, row) : row()));
}

function jsonValue(dice: Dice, { type, valueKind }: Pick<Column, 'type' | 'valueKind'>): unknown {
  if (dice.chance(10)) return MARK;
  if (dice.chance(10)) return null;
  const sample = dice.pick(samplesOf(type));
  const isJson =
    valueKind === 'json' || valueKind === 'jsonb' || /^(?:integer|boolean)$/.test(type);
  try {
    return isJson ? JSON.parse(sample) : sample;
  } catch (error) {
    if (error instanceof SyntaxError) return sample;
    throw error;
  }
}

function call(draft: Draft, routine: Routine): Written {
  const { dice, catalog } = draft;
  const method = dice.pick(['POST', 'GET', 'HEAD'] as const);
  const given = routine.args.filter(({ hasDefault }) => !hasDefault || dice.chance(50));
  draft.outputs.add(routine.name);
  if (method !== 'POST') {
    for (const { name = '', type } of given) {
      const value = dice.chance(20) ? MARK : dice.pick(samplesOf(type));
      draft.parameters.push([name, value]);
    }
  }
  const { returns } = routine;
  const table = returns.kind === 'rows' ? tableOf(catalog, returns) : undefined;
  if (table) addShown(draft, table);
  else if (dice.chance(5)) draft.parameters.push(['limit', '1']);
  const preferences = dice.many({ most: 2, percent: 30 }, () => dice.pick(PREFERENCES));
  const [first] = routine.args;
  const isWhole = first !== undefined && first.name === undefined;
  const body = Object.fromEntries(given.map((each) => [each.name ?? '', jsonValue(dice, each)]));
  return {
    method,
    resource: { kind: 'function', name: routine.name },
    headers: {
      ...headers(dice, preferences),
      contentType: isWhole ? wholeType(first.type) : undefined,
    },
    body: method === 'POST' ? Buffer.from(JSON.stringify(isWhole ? [MARK] : body)) : undefined,
  };
}

function wholeType(type: string): string {
  if (type === 'bytea') return 'application/octet-stream';
  return type === 'text' ? 'text/plain' : 'application/json';
}

// The rows of a result that are of no table have its columns and nothing else.
function tableOf(
  { tableByName }: Catalog,
  { table, columns }: { readonly table: string | undefined; readonly columns: readonly Column[] },
): Table | undefined {
  const [any] = tableByName.values();
  if (table !== undefined) return tableByName.get(table);
  if (!any || columns.length === 0) return undefined;
  const computed = { computedColumns: new Map(), computedRelations: [], foreignKeys: [] };
  return { ...any, ...computed, name: '', columns };
}
