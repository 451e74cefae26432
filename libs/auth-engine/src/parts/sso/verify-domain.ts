import { promises as dns } from 'node:dns';
import { fieldIn } from '../../fields.js';

const timeoutMs = 5000;

/** Answers like `resolveTxt` of node:dns: records, each in pieces. */
type ReadTxt = (name: string) => Promise<readonly (readonly string[])[]>;

/** Codes of a name without such a record, or of a server that does not answer. */
const NO_RECORD: ReadonlySet<unknown> = new Set([
  'ENOTFOUND',
  'ENODATA',
  'ESERVFAIL',
  'ETIMEOUT',
  'EREFUSED',
  'EBADNAME',
  'ECONNREFUSED',
]);

/** Whether a TXT record of the name says exactly `value`. No answer in time is none. */
export async function hasTxtRecord(
  { name, value }: { readonly name: string; readonly value: string },
  readTxt: ReadTxt = (asked) => dns.resolveTxt(asked),
): Promise<boolean> {
  const records = await Promise.race([recordsOf(name, readTxt), nothingAfter(timeoutMs)]);
  return records.some((pieces) => pieces.join('').trim() === value);
}

async function recordsOf(name: string, readTxt: ReadTxt): ReturnType<ReadTxt> {
  try {
    return await readTxt(name);
  } catch (error) {
    if (NO_RECORD.has(fieldIn(error, 'code'))) return [];
    throw error;
  }
}

function nothingAfter(ms: number): Promise<readonly []> {
  return new Promise((resolve) => {
    setTimeout(() => resolve([]), ms).unref();
  });
}
