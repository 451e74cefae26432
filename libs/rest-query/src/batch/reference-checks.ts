// PostgreSQL evaluates the value of a filter only if it has a row to compare, and the value of a column only if it has
// a row to change. If there may be none, the references are also checked before the operation, so that a reference to a
// missing row is always an error.
import type { CompiledStatement } from '../compiled.js';
import { RESULT_SETTING } from '../sql/batch-result.js';
import { nullIfEmpty, builtInOperator } from '../sql/quote.js';
import type { RestInput } from '../types/request.js';

const keptResult = nullIfEmpty(
  `pg_catalog.current_setting('${RESULT_SETTING}' ${builtInOperator('||')} $1::pg_catalog.text, true)`,
);

/** Raises BATCH_REFERENCE_MISSING unless the result of operation `$1` has a value at the path `$2`. */
const CHECK_SQL = `select coalesce(
  ${keptResult}::pg_catalog.jsonb ${builtInOperator('#>')} $2::pg_catalog.text[],
  auth.deny('400', 'BATCH_REFERENCE_MISSING')::pg_catalog.jsonb)::pg_catalog.text`;

/** The statements that check the references of an operation; none for an insert, which reads all of them. */
export function referenceChecks({ method, place }: RestInput): readonly CompiledStatement[] {
  if (!place || method === 'POST') return [];
  return [...place.references, ...place.matches].map(({ reference }) => ({
    text: CHECK_SQL,
    values: [String(reference.operation), pathLiteral(reference)],
    gives: 'nothing',
  }));
}

function pathLiteral({ row, column }: { readonly row: number; readonly column: string }): string {
  return `{${row},"${column.replace(/["\\]/g, '\\$&')}"}`;
}
