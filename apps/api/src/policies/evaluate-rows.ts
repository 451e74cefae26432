// Which policies apply to a caller, and how each of them evaluates for a row. Expressions run as the caller, inside of the trial.
import type { Trial, TrialCaller } from '#libs/database';
import type { AppError } from '#libs/errors';
import { quoteIdent } from '#libs/wire';

import { decide, type EvaluatedRow } from './decide.js';
import type { PolicyCommand } from './policy-change.js';
import { POLICY_FACTS_SQL } from './policy-facts.sql.js';
import { isRefusal } from './run-request.js';
import type { AppliedPolicy, PolicyVerdict, RowCommand, TriedTableFacts } from './try-result.js';

/** What decides on the rows of a table for a caller. */
export interface PolicyFacts {
  readonly table: TriedTableFacts;
  readonly primaryKey: readonly string[];
  readonly policies: readonly AppliedPolicy[];
}

/** Undefined for a table that does not exist. */
export async function readFacts(
  trial: Trial,
  caller: TrialCaller,
  { schema, table }: { readonly schema: string; readonly table: string },
): Promise<PolicyFacts | undefined> {
  const [row] = await trial.query(caller, { text: POLICY_FACTS_SQL, values: [schema, table] });
  const [text] = row ?? [];
  // Written by the statement.
  return typeof text === 'string' ? (JSON.parse(text) as PolicyFacts) : undefined;
}

/** A question that policies answer about rows that exist (`using`) or rows to be written (`check`). */
export interface Question {
  readonly commands: readonly RowCommand[];
  readonly clause: 'using' | 'check';
}

/** One expression to evaluate. */
interface Term {
  readonly policy: AppliedPolicy;
  readonly command: RowCommand;
  /** Undefined: the policy has no expression, and neither grants nor restricts anything. */
  readonly expression: string | undefined;
}

/**
 * Evaluates policies for rows, which are the texts of JSON objects. If an expression raises an error, the rows are evaluated one by one, so
 * that the error is that of one policy and one row.
 */
export async function evaluateRows(
  trial: Trial,
  caller: TrialCaller,
  facts: PolicyFacts,
  { rows, question }: { readonly rows: readonly string[]; readonly question: Question },
): Promise<readonly EvaluatedRow[]> {
  if (rows.length === 0) return [];
  const terms = termsOf(facts, question);
  const results = await evaluate(trial, caller, facts, { rows, terms });
  return results.map((found) => {
    const verdicts = terms.map((term, index) => ({
      command: term.command,
      verdict: verdictOf(term, question.clause, found[index]),
    }));
    return decide(question, verdicts);
  });
}

function termsOf({ policies }: PolicyFacts, { commands, clause }: Question): readonly Term[] {
  return commands.flatMap((command) =>
    policies
      .filter((policy) => policy.command === command || policy.command === 'all')
      .map((policy) => ({ policy, command, expression: expressionOf(policy, clause) })),
  );
}

function expressionOf({ using, check }: AppliedPolicy, clause: 'using' | 'check') {
  return (clause === 'using' ? using : (check ?? using)) ?? undefined;
}

type Result = boolean | null | { readonly error: string };

interface Evaluation {
  readonly rows: readonly string[];
  readonly terms: readonly Term[];
}

async function evaluate(
  trial: Trial,
  caller: TrialCaller,
  facts: PolicyFacts,
  { rows, terms }: Evaluation,
): Promise<readonly (readonly Result[])[]> {
  if (terms.length === 0) return rows.map(() => []);
  try {
    return await evaluateAtOnce(trial, caller, facts, { rows, terms });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return evaluateApart(trial, caller, facts, { rows, terms }, error);
  }
}

/** Each row by itself, then each term, until the error has one of each. */
async function evaluateApart(
  trial: Trial,
  caller: TrialCaller,
  facts: PolicyFacts,
  { rows, terms }: Evaluation,
  error: AppError,
): Promise<readonly (readonly Result[])[]> {
  if (rows.length === 1 && terms.length === 1) return [[{ error: error.message }]];
  const parts: (readonly Result[])[] = [];
  if (rows.length > 1) {
    // In order: they share one connection.
    for (const row of rows) {
      parts.push(...(await evaluate(trial, caller, facts, { rows: [row], terms })));
    }
    return parts;
  }
  for (const term of terms) {
    parts.push(...(await evaluate(trial, caller, facts, { rows, terms: [term] })));
  }
  return [parts.flat()];
}

/**
 * Columns without a table in front of them are those of the row: it is the innermost table. The row has the type of the
 * table, so that an expression may use it as a whole.
 */
async function evaluateAtOnce(
  trial: Trial,
  caller: TrialCaller,
  { table }: PolicyFacts,
  { rows, terms }: Evaluation,
): Promise<readonly (readonly Result[])[]> {
  const type = `${quoteIdent(table.schema)}.${quoteIdent(table.name)}`;
  const expressions = terms.map(({ expression = 'null' }) => `(${expression})::pg_catalog.bool`);
  const text = `select (
      select pg_catalog.json_build_array(${expressions.join(', ')})
      from pg_catalog.jsonb_populate_record(null::${type}, tried.value) as ${quoteIdent(table.name)}
    )::pg_catalog.text
    from pg_catalog.jsonb_array_elements($1::pg_catalog.jsonb) with ordinality as tried (value, place)
    order by tried.place`;
  const found = await trial.query(caller, { text, values: [`[${rows.join(',')}]`] });
  // Written by the statement.
  return found.map(([json]) => JSON.parse(json ?? '[]') as (boolean | null)[]);
}

function verdictOf(
  term: Term,
  clause: 'using' | 'check',
  found: Result | undefined,
): PolicyVerdict {
  const { name, command, isPermissive } = term.policy;
  const base = { policy: name, command: command satisfies PolicyCommand, clause, isPermissive };
  if (typeof found === 'object' && found !== null) {
    return { ...base, result: 'error', message: found.error };
  }
  if (found === true || found === false) {
    return { ...base, result: found ? 'true' : 'false', message: null };
  }
  return { ...base, result: 'null', message: null };
}
