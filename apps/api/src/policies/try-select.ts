import type { PolicyFacts } from './evaluate-rows.js';
import { filtersOf, hasWindow } from './narrowed-query.js';
import { outcomeOf, runRequest, tableText, type TriedParty } from './run-request.js';
import {
  factsOf,
  filterOfKeys,
  type KeyList,
  maxCompared,
  maxEvaluated,
  maxShown,
  type Parties,
  readHiddenRows,
  readKeys,
  refusedAmong,
} from './tried-parties.js';
import type { TriedTable } from './try-request.js';
import type { Found, HiddenRows } from './try-result.js';

/** How many rows the answer has where the request itself sets no limit. */
const defaultLimit = 50;
const question = { commands: ['select'], clause: 'using' } as const;

/** Reads as the caller, and compares with what service_role would find by the same filters. */
export async function trySelect(parties: Parties, request: TriedTable): Promise<Found> {
  const { table, query } = request;
  const limited = hasWindow(query)
    ? query
    : [query, `limit=${defaultLimit}`].filter(Boolean).join('&');
  const outcome = outcomeOf(
    await runRequest(parties.asCaller, tableText({ ...request, query: limited })),
  );
  const facts = await factsOf(parties, table);
  const filters = filtersOf(query);
  const seen = facts && (await keysOf(parties, parties.asCaller, facts, filters));
  const hidden =
    facts?.table.isSecured === true ? await hiddenOf(parties, facts, filters, seen) : null;
  const isAnswered = outcome.kind === 'answered';
  return {
    outcome,
    count: isAnswered ? (seen?.keys.length ?? lengthOf(outcome.body)) : null,
    // PostgreSQL has written them.
    keys: isAnswered && seen ? seen.keys.map((key) => JSON.parse(key) as unknown) : null,
    table: facts?.table ?? null,
    policies: facts?.policies.filter(({ command }) => /^(?:select|all)$/.test(command)) ?? [],
    hidden,
    refusedRows: [],
  };
}

function keysOf(
  parties: Parties,
  party: TriedParty,
  { table, primaryKey }: PolicyFacts,
  filters: readonly string[],
): Promise<KeyList | undefined> {
  if (primaryKey.length === 0) return Promise.resolve(undefined);
  return readKeys(parties, party, { table: table.name, filters, primaryKey });
}

/** By their keys where the caller may read these; else the first rows are evaluated one by one. */
async function hiddenOf(
  parties: Parties,
  facts: PolicyFacts,
  filters: readonly string[],
  seen: KeyList | undefined,
): Promise<HiddenRows> {
  const table = facts.table.name;
  const all = await keysOf(parties, parties.asService, facts, filters);
  if (!all || !seen) {
    const rows = await readHiddenRows(parties, { table, filters, limit: maxEvaluated });
    const refused = await refusedAmong(parties, facts, { rows, question });
    return {
      count: null,
      isBounded: rows.length === maxEvaluated,
      rows: refused.slice(0, maxShown),
    };
  }
  const isSeen = new Set(seen.keys);
  const hidden = all.keys.filter((key) => !isSeen.has(key));
  return {
    count: hidden.length,
    isBounded: all.isBounded,
    rows: await refusedByKey(parties, facts, hidden.slice(0, maxShown)),
  };
}

async function refusedByKey(parties: Parties, facts: PolicyFacts, keys: readonly string[]) {
  if (keys.length === 0) return [];
  const filters = [await filterOfKeys(parties, keys)];
  const rows = await readHiddenRows(parties, {
    table: facts.table.name,
    filters,
    limit: maxCompared,
  });
  return refusedAmong(parties, facts, { rows, question });
}

const lengthOf = (body: unknown): number => (Array.isArray(body) ? body.length : 1);
