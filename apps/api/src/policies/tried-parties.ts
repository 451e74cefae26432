// Who reads and writes within a try: the caller, and service_role, from whom no row is hidden.
import type { Trial, TrialCaller } from '#libs/database';
import type { ProjectRuntime } from '#libs/project-runtime';

import { evaluateRows, type PolicyFacts, type Question, readFacts } from './evaluate-rows.js';
import { filterByKeys, narrowed, quoted } from './narrowed-query.js';
import { readRows, type TriedParty } from './run-request.js';
import type { ResolvedTry } from './tried-caller.js';
import { type TriedProject, triedProject, serviceLike } from './tried-project.js';
import type { RefusedRow } from './try-result.js';

export interface Parties {
  readonly trial: Trial;
  readonly caller: TrialCaller;
  readonly asCaller: TriedParty & { readonly project: TriedProject };
  /** Reads and writes what the caller would, without policies; the claims are those of the caller. */
  readonly asService: TriedParty;
  readonly service: TrialCaller;
}

/** How many rows of a table are compared; the rest is counted as unknown. */
export const maxCompared = 1_000;
/** How many rows are evaluated one by one, and how many of them are shown. */
export const maxEvaluated = 100;
export const maxShown = 20;

export function openParties(
  project: ProjectRuntime,
  trial: Trial,
  { credential, caller }: ResolvedTry,
): Parties {
  const service = serviceLike(caller);
  return {
    trial,
    caller,
    asCaller: { project: triedProject(project, trial, caller), credential },
    asService: {
      project: triedProject(project, trial, service),
      credential: { kind: 'secret-key' },
    },
    service,
  };
}

/** The facts about an exposed table; undefined when there is none. */
export function factsOf(
  { trial, caller }: Parties,
  table: string,
  schema = 'public',
): Promise<PolicyFacts | undefined> {
  return readFacts(trial, caller, { schema, table });
}

/** Primary keys of rows, as the texts of JSON objects. */
export interface KeyList {
  readonly keys: readonly string[];
  readonly isBounded: boolean;
}

/** The keys of the rows that match filters, in the order of the key; undefined if the party may not read them. */
export async function readKeys(
  { trial, caller }: Parties,
  party: TriedParty,
  {
    table,
    filters,
    primaryKey,
  }: {
    readonly table: string;
    readonly filters: readonly string[];
    readonly primaryKey: readonly string[];
  },
): Promise<KeyList | undefined> {
  const names = primaryKey.map(quoted).join(',');
  const query = narrowed(filters, { select: names, order: names, limit: maxCompared + 1 });
  const found = await readRows(party, {
    method: 'GET',
    resource: { kind: 'table', name: table },
    query,
  });
  if (found === undefined) return undefined;
  const keys = await elementsOf({ trial, caller }, found);
  return { keys: keys.slice(0, maxCompared), isBounded: keys.length > maxCompared };
}

/** The elements of a JSON array as texts: numbers keep all of their digits. */
export async function elementsOf(
  { trial, caller }: Pick<Parties, 'trial' | 'caller'>,
  array: string,
): Promise<readonly string[]> {
  const found = await trial.query(caller, { text: ELEMENTS_SQL, values: [array] });
  return found.map(([text]) => text ?? 'null');
}

const ELEMENTS_SQL = `select found.value::pg_catalog.text
  from pg_catalog.jsonb_array_elements($1::pg_catalog.jsonb) with ordinality as found (value, place)
  order by found.place`;

/** The filter for the rows with these keys. */
export async function filterOfKeys(
  { trial, caller }: Pick<Parties, 'trial' | 'caller'>,
  keys: readonly string[],
): Promise<string> {
  const found = await trial.query(caller, { text: KEY_TEXTS_SQL, values: [`[${keys.join(',')}]`] });
  // The statement has written them, all values as texts.
  return filterByKeys(found.map(([text]) => JSON.parse(text ?? '{}') as Record<string, string>));
}

const KEY_TEXTS_SQL = `select (
    select pg_catalog.json_object_agg(field.key, field.value)
    from pg_catalog.jsonb_each_text(found.value) as field
  )::pg_catalog.text
  from pg_catalog.jsonb_array_elements($1::pg_catalog.jsonb) with ordinality as found (value, place)
  order by found.place`;

/** The rows that match filters, without policies: texts of JSON objects. */
export async function readHiddenRows(
  parties: Parties,
  {
    table,
    filters,
    limit,
  }: { readonly table: string; readonly filters: readonly string[]; readonly limit: number },
): Promise<readonly string[]> {
  const query = narrowed(filters, { select: '*', limit });
  const resource = { kind: 'table', name: table } as const;
  const found = await readRows(parties.asService, { method: 'GET', resource, query });
  return found === undefined ? [] : elementsOf(parties, found);
}

/** Those of the rows that policies refuse, each with the decision. */
export async function refusedAmong(
  { trial, caller }: Parties,
  facts: PolicyFacts,
  { rows, question }: { readonly rows: readonly string[]; readonly question: Question },
): Promise<readonly RefusedRow[]> {
  const evaluated = await evaluateRows(trial, caller, facts, { rows, question });
  return evaluated.flatMap(({ decision, verdicts }, index) => {
    // PostgreSQL has written the row.
    const row = JSON.parse(rows[index] ?? 'null') as unknown;
    return decision ? [{ row, decision, verdicts }] : [];
  });
}
