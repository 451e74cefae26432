import { parse } from 'papaparse';

import type { CsvFile } from './csv.js';

/** The file with its first line as names; empty lines are left out. Throws if it has no line. */
export async function readCsv(file: File): Promise<CsvFile> {
  const text = (await file.text()).replace(/^\uFEFF/, '');
  const { data } = parse<string[]>(text, { skipEmptyLines: true });
  const [names, ...rows] = data;
  if (!names) throw new Error('The file is empty.');
  return { names, rows };
}
