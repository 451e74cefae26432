const maxReasonLength = 200;
/** Shorter texts stand in any sentence: taking them out would hide nothing and spoil the reason. */
const minSecretLength = 4;

/**
 * What a foreign server said, fit to be shown to an administrator: one short line without any of `secrets`,
 * also where they stand in base64 or in a URL.
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
