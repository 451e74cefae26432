import { createHash } from 'node:crypto';

import type { React } from './http-recorder.js';

const paddingRows = 20;

/**
 * An answer for the HTTP recorder: the range search of a list of breached passwords (k-anonymity).
 * `GET …/range/<first 5 hexadecimal digits of the SHA-1>` answers lines `<other 35>:<count>`; with the header
 * `Add-Padding: true` there are further lines with the count 0, which mean nothing.
 */
export function breachRanges(breached: readonly string[]): React {
  const digests = breached.map(sha1);
  return ({ method, path, headers }) => {
    const prefix = /\/range\/([0-9A-Fa-f]{5})$/.exec(path)?.[1]?.toUpperCase();
    if (method !== 'GET') return { status: 405 };
    if (prefix === undefined)
      return { status: 400, body: 'The hash prefix was not in a valid format' };
    const found = digests.filter((digest) => digest.startsWith(prefix));
    const rows = [
      // Neighbors of the same range, so that a client cannot take any line for a match.
      `${sha1(`neighbor of ${prefix}`).slice(5)}:7`,
      ...found.map((digest) => `${digest.slice(5)}:42`),
      ...(headers['add-padding'] === 'true' ? paddingFor(prefix) : []),
    ];
    return { body: rows.join('\r\n'), headers: { 'content-type': 'text/plain' } };
  };
}

function paddingFor(prefix: string): readonly string[] {
  return Array.from(
    { length: paddingRows },
    (_, row) => `${sha1(`padding ${row} of ${prefix}`).slice(5)}:0`,
  );
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex').toUpperCase();
}
