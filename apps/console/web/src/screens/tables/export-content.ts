import { spreadsheetCsv } from '../../ui/csv.js';

/** CSV has the values as they are, or without those that a spreadsheet would calculate. */
export type Format = 'csv' | 'spreadsheet' | 'json';

/** What an answer adds to the file: CSV without its first line but for the first part, JSON without its brackets. */
export function contentOf(format: Format, text: string, isFirst: boolean): string {
  if (format === 'json') return text.trim().slice(1, -1);
  const csv = csvContent(text, isFirst);
  return format === 'spreadsheet' ? spreadsheetCsv(csv) : csv;
}

function csvContent(text: string, isFirst: boolean): string {
  if (isFirst) return text.endsWith('\n') ? text : `${text}\n`;
  const rest = text.slice(endOfFirstLine(text));
  return rest === '' || rest.endsWith('\n') ? rest : `${rest}\n`;
}

/** Names may have line ends within quotes. */
function endOfFirstLine(text: string): number {
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === '\n' && !isQuoted) return at + 1;
  }
  return text.length;
}
