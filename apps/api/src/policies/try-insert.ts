import { refusedAmong, elementsOf, factsOf, maxShown, type Parties } from './tried-parties.js';
import { outcomeOf, readRows, runRequest, tableText } from './run-request.js';
import type { TriedTable } from './try-request.js';
import type { Found, RefusedRow, TryOutcome } from './try-result.js';
import type { PolicyFacts } from './evaluate-rows.js';

/** Inserts as the caller. If policies refuse, the rows are made as service_role, and the policies asked about them. */
export async function tryInsert(parties: Parties, request: TriedTable): Promise<Found> {
  const outcome = outcomeOf(await runRequest(parties.asCaller, tableText(request)));
  const affected = parties.asCaller.project.lastAffected();
  const facts = await factsOf(parties, request.table);
  const commands = commandsOf(request);
  return {
    outcome,
    count: outcome.kind === 'answered' ? (affected ?? 0) : null,
    keys: null,
    table: facts?.table ?? null,
    policies:
      facts?.policies.filter(({ command }) => command === 'all' || commands.has(command)) ?? [],
    hidden: null,
    refusedRows: facts && isDenied(outcome) ? await refusedOf(parties, facts, request) : [],
  };
}

/** Whether policies or rights have refused. */
export function isDenied(outcome: TryOutcome): boolean {
  return outcome.kind === 'refused' && outcome.code === '42501';
}

function isMerge({ prefer = '' }: TriedTable): boolean {
  return prefer.includes('resolution=merge-duplicates');
}

function isReturning({ prefer = '' }: TriedTable): boolean {
  return prefer.includes('return=representation');
}

function commandsOf(request: TriedTable): ReadonlySet<string> {
  return new Set([
    'insert',
    ...(isMerge(request) ? ['update', 'select'] : []),
    ...(isReturning(request) ? ['select'] : []),
  ]);
}

async function refusedOf(
  parties: Parties,
  facts: PolicyFacts,
  request: TriedTable,
): Promise<readonly RefusedRow[]> {
  const rows = await newRowsOf(parties, request);
  const shown = rows.slice(0, maxShown);
  const checked = await refusedAmong(parties, facts, {
    rows: shown,
    question: { commands: isMerge(request) ? ['insert', 'update'] : ['insert'], clause: 'check' },
  });
  if (checked.length > 0 || !isReturning(request)) return checked;
  // Rows that are returned must be rows that the caller may read.
  return refusedAmong(parties, facts, {
    rows: shown,
    question: { commands: ['select'], clause: 'using' },
  });
}

/** The rows that a write makes when no policy refuses them: texts of JSON objects. */
export async function newRowsOf(
  parties: Parties,
  request: TriedTable,
  query = request.query,
): Promise<readonly string[]> {
  const kept = query
    .split('&')
    .filter((part) => part !== '' && !/^(?:select|order|limit|offset)=/.test(part));
  const preferences = (request.prefer ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => /^(?:resolution|missing)=/.test(part));
  const found = await readRows(parties.asService, {
    ...tableText(request),
    query: [...kept, 'select=*'].join('&'),
    prefer: ['return=representation', ...preferences].join(','),
  });
  return found === undefined ? [] : elementsOf(parties, found);
}
