// Checksums that a client sends with its content, so that the stored bytes can be compared with the original.
import { fail } from '#libs/errors';

/** The request headers that may carry a checksum. */
export interface ChecksumHeaders {
  readonly 'x-checksum-sha256'?: string | string[] | undefined;
  readonly 'content-digest'?: string | string[] | undefined;
  readonly 'repr-digest'?: string | string[] | undefined;
}

/** A member of a dictionary of byte sequences (RFC 9651 section 3.2); its parameters are ignored. */
const memberForm = /^([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/=]*):(?:;[^",]*)?$/;
const hexForm = /^[0-9a-f]{64}$/i;
/** 32 bytes; the last letter before the equals sign carries four bits only. */
const base64Form = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

/**
 * Returns the SHA-256 that the content of the request should have, in lower case hexadecimal; undefined if the client
 * sends none. The digests of RFC 9530 cover the whole body. A multipart body contains more than the file, so only
 * `x-checksum-sha256` counts for it. Throws INVALID_CHECKSUM (400), also if two headers differ.
 */
export function expectedSha256(
  headers: ChecksumHeaders,
  body: 'raw' | 'multipart',
): string | undefined {
  const checksum = parseChecksum(textOf(headers['x-checksum-sha256']));
  if (body === 'multipart') return checksum;
  const found = [
    { header: 'x-checksum-sha256', sha256: checksum },
    ...(['repr-digest', 'content-digest'] as const).map((header) => ({
      header,
      sha256: parseDigest(header, textOf(headers[header])),
    })),
  ].filter(({ sha256 }) => sha256 !== undefined);
  const [first] = found;
  const other = found.find(({ sha256 }) => sha256 !== first?.sha256);
  if (first && other) throw invalid(other.header, `it differs from ${first.header}`);
  return first?.sha256;
}

function parseChecksum(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const sha256 = hexForm.test(text.trim()) ? text.trim().toLowerCase() : hexOf(text.trim());
  if (sha256 === undefined) {
    throw invalid('x-checksum-sha256', 'write 32 bytes in hexadecimal digits or Base64');
  }
  return sha256;
}

/** The member `sha-256` of the dictionary; if there are several, the last counts (RFC 9651 section 4.2.2). */
function parseDigest(header: string, text: string | undefined): string | undefined {
  let sha256: string | undefined;
  for (const member of text?.split(',') ?? []) {
    const [, algorithm, bytes = ''] = memberForm.exec(member.trim()) ?? [];
    if (algorithm === undefined) throw invalid(header, 'write sha-256=:<Base64>:');
    if (algorithm !== 'sha-256') continue;
    sha256 = hexOf(bytes);
    if (sha256 === undefined) throw invalid(header, 'the digest is not the Base64 of 32 bytes');
  }
  return sha256;
}

function hexOf(base64: string): string | undefined {
  if (!base64Form.test(base64)) return undefined;
  return Array.from(atob(base64), (letter) =>
    letter.charCodeAt(0).toString(16).padStart(2, '0'),
  ).join('');
}

/** A header that occurs several times is one list. */
function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}

function invalid(header: string, reason: string) {
  return fail('INVALID_CHECKSUM', { header, reason });
}
