// The words of a foreign server as an administrator may see them. Servers repeat what was sent to them: as it was,
// encoded for its transport, folded, or cut off.

const maxReasonLength = 200;
/** Longer answers are cut off before they are searched. */
const maxSearchedLength = 16_384;
/** Shorter texts occur in any sentence: removing them would hide nothing and garble the reason. */
const minSecretLength = 4;
/** Runs of letters and digits of this length count as tokens, even without a digit. */
const minTokenLength = 16;
/** A piece of a token that is hidden alone; a shorter one is of no use to anyone. */
const pieceLength = 8;
/** Shorter runs of the alphabet of base64 decode to less than a code. */
const base64Runs = /[A-Za-z0-9+/_-]{8,}={0,2}/g;
const tokenRuns = new RegExp(`[\\p{L}\\p{N}_-]{${minTokenLength},}`, 'gu');

/** The words of a message that may be a code, a link or a token. */
export function secretsIn(text: string): readonly string[] {
  // Including signs: a link as a whole, and tokens in base64.
  const words = text.split(/[\s<>"']+/).filter((word) => /[\d/=]/.test(word));
  const parts = text.split(/[^\p{L}\p{N}_-]+/u);
  const telling = parts.filter((part) => /\d/.test(part) || part.length >= minTokenLength);
  return [...new Set([...words, ...telling])];
}

/**
 * Returns the words of a foreign server in a form that an administrator may see: one short line without any of
 * `secrets`, also in base64, in quoted-printable or as part of a URL, and without pieces of long ones.
 */
export function plainReason(text: string, secrets: readonly (string | undefined)[]): string {
  const hide = hiding(secrets.filter((secret) => secret !== undefined));
  const encoded = hide(text.slice(0, maxSearchedLength)).replace(base64Runs, (run) => {
    const decoded = Buffer.from(run, 'base64').toString();
    return hide(decoded) === decoded ? run : '…';
  });
  // Quoted-printable folds a line by "=" at its end (RFC 2045 §6.7).
  const hidden = hide(encoded.replace(/=\r?\n/g, ''));
  const line = hidden.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.length <= maxReasonLength ? line : `${line.slice(0, maxReasonLength)}…`;
}

/** Returns a function that replaces the secrets and the pieces of tokens in a text. */
function hiding(secrets: readonly string[]): (text: string) => string {
  const spellings = secrets
    .filter((secret) => secret.length >= minSecretLength)
    .flatMap((secret) => [
      secret,
      secret.replaceAll('=', '=3D'),
      new URLSearchParams([['', secret]]).toString().slice(1),
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('base64url'),
    ])
    .toSorted((a, b) => b.length - a.length);
  const pieces = new Set(secrets.flatMap((secret) => piecesOf(secret)));
  return (text) =>
    withoutPieces(
      spellings.reduce((shown, secret) => shown.replaceAll(secret, '…'), text),
      pieces,
    );
}

/** All pieces of the tokens in a text, in lower case: a server may change the case. */
function piecesOf(text: string): string[] {
  const tokens = text.toLowerCase().match(tokenRuns) ?? [];
  return tokens.flatMap((token) =>
    Array.from({ length: token.length - pieceLength + 1 }, (_, start) =>
      token.slice(start, start + pieceLength),
    ),
  );
}

function withoutPieces(text: string, pieces: ReadonlySet<string>): string {
  if (pieces.size === 0) return text;
  const lower = text.toLowerCase();
  let shown = '';
  let at = 0;
  for (let start = 0; start + pieceLength <= lower.length; start += 1) {
    if (!pieces.has(lower.slice(start, start + pieceLength))) continue;
    if (start >= at) shown += `${text.slice(at, start)}…`;
    at = start + pieceLength;
  }
  return shown + text.slice(at);
}
