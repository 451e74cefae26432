import { isDenied, newRowsOf } from './try-insert.js';
import { evaluateRows, type PolicyFacts } from './evaluate-rows.js';
import { filtersOf, hasWindow } from './narrowed-query.js';
import { outcomeOf, runRequest, tableText } from './run-request.js';
import {
  elementsOf,
  factsOf,
  filterOfKeys,
  maxEvaluated,
  maxShown,
  type Parties,
  readHiddenRows,
  readKeys,
  refusedAmong,
} from './tried-parties.js';
import type { TriedTable } from './try-request.js';
import type { Found, HiddenRows, RefusedRow, RowCommand } from './try-result.js';

/** Changes or deletes rows as the caller, and says which rows that match the filters were out of reach. */
export async function tryWrite(parties: Parties, request: TriedTable): Promise<Found> {
  const outcome = outcomeOf(await runRequest(parties.asCaller, tableText(request)));
  const affected = parties.asCaller.project.lastAffected() ?? 0;
  const facts = await factsOf(parties, request.table);
  const isAnswered = outcome.kind === 'answered';
  const base = {
    outcome,
    count: isAnswered ? affected : null,
    keys: null,
    table: facts?.table ?? null,
    policies: facts?.policies.filter(({ command }) => command !== 'insert') ?? [],
  };
  if (facts?.table.isSecured !== true) return { ...base, hidden: null, refusedRows: [] };
  const filters = filtersOf(request.query);
  const rows = await readHiddenRows(parties, {
    table: request.table,
    filters,
    limit: maxEvaluated + 1,
  });
  const within: Matching = {
    rows: rows.slice(0, maxEvaluated),
    isBounded: rows.length > maxEvaluated,
  };
  const total = isAnswered ? await totalOf(parties, facts, request, filters) : undefined;
  return {
    ...base,
    hidden: await hiddenOf(parties, facts, {
      ...within,
      commands: commandsOf(request),
      count: total === undefined ? null : total - affected,
    }),
    refusedRows:
      isDenied(outcome) && request.kind === 'update'
        ? await refusedOf(parties, facts, { request, rows: within.rows })
        : [],
  };
}

interface Matching {
  readonly rows: readonly string[];
  readonly isBounded: boolean;
}

/** A write with filters reads the rows, too. */
function commandsOf({ kind }: TriedTable): readonly RowCommand[] {
  return kind === 'delete' ? ['delete', 'select'] : ['update', 'select'];
}

/** How many rows match; undefined where they cannot be counted. */
async function totalOf(
  parties: Parties,
  { primaryKey }: PolicyFacts,
  { table, query }: TriedTable,
  filters: readonly string[],
): Promise<number | undefined> {
  if (primaryKey.length === 0 || hasWindow(query)) return undefined;
  const found = await readKeys(parties, parties.asService, { table, filters, primaryKey });
  return found && !found.isBounded ? found.keys.length : undefined;
}

async function hiddenOf(
  parties: Parties,
  facts: PolicyFacts,
  {
    rows,
    isBounded,
    commands,
    count,
  }: Matching & { readonly commands: readonly RowCommand[]; readonly count: number | null },
): Promise<HiddenRows> {
  const question = { commands, clause: 'using' } as const;
  const refused = await refusedAmong(parties, facts, { rows, question });
  return { count, isBounded, rows: refused.slice(0, maxShown) };
}

/** The new versions of the rows that the caller may change, as far as a check refuses them. */
async function refusedOf(
  parties: Parties,
  facts: PolicyFacts,
  { request, rows }: { readonly request: TriedTable; readonly rows: readonly string[] },
): Promise<readonly RefusedRow[]> {
  if (facts.primaryKey.length === 0) return [];
  const evaluated = await evaluateRows(parties.trial, parties.caller, facts, {
    rows,
    question: { commands: commandsOf(request), clause: 'using' },
  });
  const reached = rows.filter((_, index) => evaluated[index]?.decision === undefined);
  if (reached.length === 0) return [];
  const query = await filterOfKeys(parties, await keysIn(parties, facts, reached));
  const changed = await newRowsOf(parties, request, query);
  const question = { commands: ['update'], clause: 'check' } as const;
  const refused = await refusedAmong(parties, facts, { rows: changed, question });
  return refused.slice(0, maxShown);
}

const KEYS_SQL = `select coalesce(pg_catalog.jsonb_agg((
    select pg_catalog.jsonb_object_agg(field.key, field.value)
    from pg_catalog.jsonb_each(found.value) as field
    where field.key operator(pg_catalog.=) any (array(
      select pg_catalog.jsonb_array_elements_text($2::pg_catalog.jsonb)))
  )), '[]')::pg_catalog.text
  from pg_catalog.jsonb_array_elements($1::pg_catalog.jsonb) as found (value)`;

/** The primary keys of rows. */
async function keysIn(
  { trial, caller }: Parties,
  { primaryKey }: PolicyFacts,
  rows: readonly string[],
): Promise<readonly string[]> {
  const values = [`[${rows.join(',')}]`, JSON.stringify(primaryKey)];
  const [row] = await trial.query(caller, { text: KEYS_SQL, values });
  return elementsOf({ trial, caller }, row?.[0] ?? '[]');
}
