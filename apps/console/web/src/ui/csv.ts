// Comma-separated values (RFC 4180), and the guard of those that a spreadsheet would calculate.

/** A value in quotation marks where it needs them. */
export function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? quoted(text) : text;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const formula = /^[=+\-@\t\r\n]/;
/** Where some spreadsheets begin another cell, whatever the quotation marks say. */
const formulaBehind = /(?<!^)([;\t])(?=[=+\-@])/g;
/** Also a phone number. */
const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * A value as a text of a spreadsheet. Spreadsheets calculate cells that begin with one of `=+-@`, a tab or an end of
 * line, or with these behind a semicolon, and those who write the values may be strangers: an apostrophe in front makes a
 * text of them. Numbers stay.
 */
export function spreadsheetText(text: string): string {
  if (plainNumber.test(text)) return text;
  const safe = text.replace(formulaBehind, "$1'");
  return formula.test(safe) ? `'${safe}` : safe;
}

/** The same CSV text with each field as {@link spreadsheetText}. */
export function spreadsheetCsv(csv: string): string {
  const parts: string[] = [];
  for (let at = 0; at < csv.length;) {
    const end = endOfField(csv, at);
    parts.push(spreadsheetField(csv.slice(at, end)), csv.slice(end, end + 1));
    at = end + 1;
  }
  return parts.join('');
}

function spreadsheetField(field: string): string {
  const isQuoted = field.startsWith('"');
  const text = isQuoted ? field.slice(1, -1).replaceAll('""', '"') : field;
  const safe = spreadsheetText(text);
  if (safe === text) return field;
  return isQuoted ? quoted(safe) : csvField(safe);
}

/** The position of the comma or the end of line after the field that begins at `from`. */
function endOfField(csv: string, from: number): number {
  let at = csv[from] === '"' ? endOfQuotes(csv, from) : from;
  while (at < csv.length && !',\r\n'.includes(csv.charAt(at))) at += 1;
  return at;
}

/** Quotation marks within the field are doubled. */
function endOfQuotes(csv: string, from: number): number {
  let at = csv.indexOf('"', from + 1);
  while (at >= 0 && csv[at + 1] === '"') at = csv.indexOf('"', at + 2);
  return at < 0 ? csv.length : at + 1;
}
