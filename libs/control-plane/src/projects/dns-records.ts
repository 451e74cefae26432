import { isRecord } from '#libs/wire';

/** Codes for a name without such a record. */
const NO_RECORD: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);
/** Codes for servers that do not answer, or not with a usable answer. */
const NO_ANSWER: ReadonlySet<unknown> = new Set([
  'ESERVFAIL',
  'EREFUSED',
  'EFORMERR',
  'EBADNAME',
  'EBADRESP',
  'ETIMEOUT',
  'ECONNREFUSED',
  'ECANCELLED',
]);

/** What the name servers say of one kind of record of a name. */
export interface DnsRecords<Row> {
  /** Empty if there is no record, or no server answers in time. */
  readonly records: readonly Row[];
  /** Set if the name servers gave no usable answer: the code of the resolver, such as `ETIMEOUT`. */
  readonly failure?: string;
}

/** Waits for the answer of a resolver. A name without a record, and servers without an answer, are no errors. */
export async function recordsOf<Row>(asked: Promise<readonly Row[]>): Promise<DnsRecords<Row>> {
  try {
    return { records: await asked };
  } catch (error) {
    const code = isRecord(error) ? error['code'] : undefined;
    if (NO_RECORD.has(code)) return { records: [] };
    if (NO_ANSWER.has(code)) return { records: [], failure: String(code) };
    throw error;
  }
}
