import { Resolver } from 'node:dns/promises';

import { isRecord } from '#libs/wire';

/** What the name servers say of the TXT records of a name. */
export interface TxtAnswer {
  /** Empty if there is no record, or no server answers in time. */
  readonly texts: readonly string[];
  /** Set if the name servers gave no usable answer: the code of the resolver, such as `ETIMEOUT`. */
  readonly failure?: string;
}

export type ReadTxt = (name: string) => Promise<TxtAnswer>;

const defaultTimeoutMs = 3_000;
const tries = 2;

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
]);

/**
 * Returns a function that reads TXT records over DNS. `servers` are addresses with an optional port; absent: those of
 * the system. A try takes at most 3 s.
 */
export function txtReader(
  options: { readonly servers?: readonly string[]; readonly timeoutMs?: number } = {},
): ReadTxt {
  const { servers = [], timeoutMs = defaultTimeoutMs } = options;
  return async (name) => {
    const resolver = new Resolver({ timeout: timeoutMs, tries });
    if (servers.length > 0) resolver.setServers([...servers]);
    try {
      // A record longer than 255 bytes is split into strings.
      const records = await resolver.resolveTxt(name);
      return { texts: records.map((pieces) => pieces.join('').trim()) };
    } catch (error) {
      const code = isRecord(error) ? error['code'] : undefined;
      if (NO_RECORD.has(code)) return { texts: [] };
      if (NO_ANSWER.has(code)) return { texts: [], failure: String(code) };
      throw error;
    }
  };
}
