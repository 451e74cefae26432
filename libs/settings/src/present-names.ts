import { fieldsIn, type Fields } from './field.js';

type Named = Readonly<Record<string, unknown>>;

/** Renames fields that have a legacy name; if both names are present, the current one wins. */
export function withPresentNames(fields: Fields, record: Named): Named {
  const renamed: Record<string, unknown> = { ...record };
  for (const [name, field] of fieldsIn(fields)) {
    if (!('formerly' in field) || field.formerly === undefined) continue;
    if (!Object.hasOwn(record, field.formerly)) continue;
    renamed[name] ??= record[field.formerly];
    delete renamed[field.formerly];
  }
  return renamed;
}
