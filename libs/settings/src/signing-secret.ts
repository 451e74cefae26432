/** The rule of {@link isSigningSecret}, as the end of a sentence about a field. */
export const signingSecretRule = 'must be whsec_ and 24 to 64 bytes in base64';

/** Whether a text is a secret of Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. */
export function isSigningSecret(text: string): boolean {
  const digits = /^whsec_([A-Za-z0-9+/]+)(={0,2})$/.exec(text);
  if (!digits) return false;
  const [, value = '', padding = ''] = digits;
  const bytes = Math.floor((value.length * 3) / 4);
  const isPadded = padding === '' || (value.length + padding.length) % 4 === 0;
  return isPadded && value.length % 4 !== 1 && bytes >= 24 && bytes <= 64;
}
