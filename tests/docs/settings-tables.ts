// The tables of settings in the documents.
import type { getGroup } from '#libs/settings';

type Fields = ReturnType<typeof getGroup>['fields'];

/** A field of a group as a page shows it. */
interface ShownField {
  /** Its full name. */
  readonly path: string;
  /** Its default; empty if it has none. */
  readonly shown: string;
}

/** Returns the fields of a group in their order; `[]` in a name stands for each entry of a list. */
export function shownFields(fields: Fields, prefix = ''): readonly ShownField[] {
  return Object.entries(fields).flatMap(([name, field]): readonly ShownField[] => {
    const path = `${prefix}${name}`;
    if (field.kind === 'object') return shownFields(field.fields, `${path}.`);
    if (field.kind === 'entries') return shownFields(field.fields, `${path}[].`);
    const value = 'default' in field ? field.default : undefined;
    return [{ path, shown: value === undefined ? '' : `\`${JSON.stringify(value)}\`` }];
  });
}

/** Returns the rows of the table of a group: names and defaults as a page writes them. */
export function settingsTable(fields: Fields): readonly string[][] {
  return shownFields(fields).map(({ path, shown }) => [`\`${path}\``, shown]);
}
