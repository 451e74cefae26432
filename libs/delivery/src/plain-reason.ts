const maxReasonLength = 200;
/** Shorter texts occur in any sentence: removing them would hide nothing and garble the reason. */
const minSecretLength = 4;

/**
 * Returns the words of a foreign server in a form that an administrator may see: one short line without any of
 * `secrets`, also in base64 or as part of a URL.
 */
export function plainReason(text: string, secrets: readonly (string | undefined)[]): string {
  const spellings = secrets
    .filter((secret) => secret !== undefined)
    .filter((secret) => secret.length >= minSecretLength)
    .flatMap((secret) => [
      secret,
      new URLSearchParams([['', secret]]).toString().slice(1),
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('base64url'),
    ])
    .toSorted((a, b) => b.length - a.length);
  const hidden = spellings.reduce((shown, secret) => shown.replaceAll(secret, '…'), text);
  const line = hidden.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.length <= maxReasonLength ? line : `${line.slice(0, maxReasonLength)}…`;
}
