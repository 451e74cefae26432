// Entries of an audit log as a file. Operators and users choose names themselves, so cells are guarded.
import { csvField, spreadsheetText } from '../../ui/csv.js';
import { withoutSecrets } from './changes.js';
import type { Entry } from './queries.js';

export type FileFormat = 'csv' | 'json';

const columns = [
  'id',
  'at',
  'actor',
  'actorId',
  'action',
  'organizationId',
  'ref',
  'target',
  'before',
  'after',
  'ip',
  'requestId',
] as const;

/** The entries as lines after a line with the names of the columns, or as a list of objects. */
export function fileOf(entries: readonly Entry[], format: FileFormat): string {
  const rows = entries.map(({ actor, before, after, ...entry }) => ({
    ...entry,
    actor: actor.name,
    actorId: actor.id,
    before: withoutSecrets(before),
    after: withoutSecrets(after),
  }));
  if (format === 'json') return `${JSON.stringify(rows, null, 2)}\n`;
  const lines = rows.map((row) =>
    columns.map((name) => csvField(spreadsheetText(textOf(row[name])))).join(','),
  );
  return [columns.join(','), ...lines, ''].join('\r\n');
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
