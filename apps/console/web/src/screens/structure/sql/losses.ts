// What a change takes away, in words.
import type { SchemaTable, TableDependent } from '../../project/schema.js';
import { counted } from '../../../ui/counted.js';
/** How many rows a table has, as far as the statistics know. */
export function rowsInWords({ estimatedRows }: Pick<SchemaTable, 'estimatedRows'>): string {
  if (estimatedRows === 0) return 'all rows (none by the last count)';
  return `about ${counted(estimatedRows, 'row')}`;
}

/** Says that a change drops an object with another one. */
export const alsoDropped = (object: string): string => `Also dropped: ${object}.`;

/** Says that a column or table cannot be dropped because of an object such as `view public.sizes`. */
export function dependsOn(object: string, noun: string): string {
  const subject = object.charAt(0).toUpperCase() + object.slice(1);
  return `${subject} depends on the ${noun}, so it cannot be dropped without CASCADE.`;
}

/** Returns what is dropped with a column, or prevents the drop, in sentences. */
export function dependentsOfColumn(
  dependents: readonly TableDependent[],
  column: string,
  isCascading: boolean,
): readonly string[] {
  return dependents
    .filter(({ columns }) => columns.includes(column))
    .map(({ object, heldColumns }) =>
      isCascading || !heldColumns.includes(column)
        ? alsoDropped(object)
        : dependsOn(object, 'column'),
    );
}

/** Whether one of the columns cannot be dropped without `cascade`. */
export function areHeld(
  dependents: readonly TableDependent[],
  columns: readonly string[],
): boolean {
  return dependents.some(({ heldColumns }) => heldColumns.some((name) => columns.includes(name)));
}

/** Whether the table cannot be dropped without `cascade`. */
export function isHeld(dependents: readonly TableDependent[]): boolean {
  return dependents.some(({ isOwn }) => !isOwn);
}
