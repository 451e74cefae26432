// Rows of a CSV file on their way to the API. A request is one transaction; a trial is rolled back.
import { asProblem, type Problem, problemOf } from '../../api/problem.js';
import { sendPlain } from '../../api/client.js';
import type { SchemaTable } from '../project/schema.js';
import { bodyOf, type Mapping, partsOf } from './csv.js';
import { encodeQuery, quotedName } from './filters.js';
import { readJson, rowsPath } from './requests.js';

/** A project takes 10 MB unless it has set another limit. */
const partChars = 6_000_000;

type CsvRows = readonly (readonly string[])[];

interface ImportTarget {
  readonly ref: string;
  readonly table: SchemaTable;
  readonly mapping: Mapping;
}

/** How many requests, and so transactions, the rows need. */
export const partsFor = (rows: CsvRows): readonly CsvRows[] => partsOf(rows, partChars);

type Trial =
  | { readonly kind: 'accepted' }
  /** `row`: the position of the first row that the database refuses; undefined if no single row is the reason. */
  | { readonly kind: 'refused'; readonly row: number | undefined; readonly problem: Problem };

/**
 * Has the database check the rows and takes them back. Of refused rows the first is found by halving: triggers and
 * constraints see rows in the order of the file.
 */
export async function tryRows(target: ImportTarget, rows: CsvRows): Promise<Trial> {
  const refusal = await refusalOf(target, rows);
  if (!refusal) return { kind: 'accepted' };
  if (refusal.status < 400 || refusal.status >= 500 || refusal.status === 413) {
    return { kind: 'refused', row: undefined, problem: refusal };
  }
  let [accepted, refused, problem] = [0, rows.length, refusal];
  while (refused - accepted > 1) {
    const middle = Math.floor((accepted + refused) / 2);
    // Which half is tried next depends on the answer.
    const found = await refusalOf(target, rows.slice(0, middle));
    if (found) [refused, problem] = [middle, found];
    else accepted = middle;
  }
  return { kind: 'refused', row: refused - 1, problem };
}

async function refusalOf(target: ImportTarget, rows: CsvRows): Promise<Problem | undefined> {
  try {
    await sendRows(target, rows, 'tx=rollback');
    return undefined;
  } catch (thrown) {
    return asProblem(thrown);
  }
}

/** Writes the rows in one transaction. Throws Problem. */
export async function sendRows(
  { ref, table, mapping }: ImportTarget,
  rows: CsvRows,
  ending?: 'tx=rollback',
): Promise<void> {
  const columns = [...mapping.keys()].map(quotedName).join(',');
  const query = encodeQuery([['columns', columns]]);
  const response = await sendPlain(rowsPath({ ref, table: table.name, query }), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      prefer: ['return=minimal', ...(ending ? [ending] : [])].join(', '),
    },
    body: bodyOf(rows, mapping, table),
  });
  if (!response.ok) throw problemOf(response, await readJson(response));
}
