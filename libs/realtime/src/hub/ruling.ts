// A verdict about visibility as the hub asks it: by audience, change and binding instead of by index.
import { type AppError, fail } from '#libs/errors';

import { FILTER_TOO_SLOW } from '../visibility/filter-calls.js';
import type { EvaluationError, Verdict } from '../visibility/types.js';
import type { Change } from '../feed/lines.js';
import type { HubQuestion, Ruling, Sight } from './ports.js';

/** `filtered` are the bindings of the question that have a filter, in the order of the verdict. */
export function rulingOf(
  { changes, audiences }: HubQuestion,
  { verdict, filtered }: { readonly verdict: Verdict; readonly filtered: readonly string[] },
): Ruling {
  // Nothing of a table that is gone is visible.
  const table = verdict.table ?? { schema: 'public', name: '' };
  const placeOf = new Map(changes.map((change, index) => [change, index]));
  const audienceOf = new Map(audiences.map(({ audience }, index) => [audience, index]));
  const filterOf = new Map(filtered.map((id, index) => [id, index]));
  const at = (change: Change): number => placeOf.get(change) ?? -1;
  return {
    schema: table.schema,
    table: table.name,
    isLocked: verdict.isLocked,
    hasGap: verdict.hasGap,
    sightOf(audience, change) {
      const index = audienceOf.get(audience) ?? -1;
      return sightOf(
        verdict.newVisible[index]?.[at(change)] === '1',
        verdict.oldVisible[index]?.[at(change)] === '1',
      );
    },
    matches(bindingId, change) {
      const index = filterOf.get(bindingId);
      return index === undefined || verdict.filterMatches[index]?.[at(change)] === '1';
    },
    errorOf(audience) {
      const error = verdict.errors.get(audienceOf.get(audience) ?? -1);
      if (!error) return undefined;
      const cause = new Error(`${error.code}: ${error.message}`);
      return fail('POLICY_FAILED', { table: table.name }, { cause });
    },
    filterErrorOf(bindingId, audience) {
      const errors = verdict.listenerErrors.get(filterOf.get(bindingId) ?? -1);
      const error = errors?.get(audienceOf.get(audience) ?? -1);
      if (!error) return undefined;
      // The message of the database may quote a row that the client must not see.
      const reason = `cannot be evaluated on a row of ${table.name} (SQLSTATE ${error.code})`;
      return filterError(error, { field: 'filter', table: table.name, reason });
    },
    newText: (change) => verdict.newTexts[at(change)] ?? '{}',
    oldText: (change) => verdict.oldTexts[at(change)] ?? '{}',
  };
}

/** The error for the client: FILTER_TOO_SLOW, or INVALID_FRAME with `reason`. */
export function filterError(
  { code, message }: EvaluationError,
  filter: { readonly field: string; readonly table: string; readonly reason: string },
): AppError {
  const { field, table, reason } = filter;
  const options = { cause: new Error(`${code}: ${message}`), details: { field } };
  return code === FILTER_TOO_SLOW
    ? fail('FILTER_TOO_SLOW', { field, table }, options)
    : fail('INVALID_FRAME', { field, reason }, options);
}

function sightOf(isNewVisible: boolean, isOldVisible: boolean): Sight {
  if (isNewVisible) return isOldVisible ? 'both' : 'new';
  return isOldVisible ? 'old' : 'nothing';
}
