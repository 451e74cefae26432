/** In code units. Longer than any spelling of a password that the rules allow; the work grows with the square. */
const maxNormalizedLength = 1024;

/**
 * Returns a password in the form that its length is measured and its hash is made of (NFKC, NIST SP 800-63B-4
 * §3.1.1.2): keyboards and systems send the same letter as one code point or as several. A text with over 1,024 code
 * units stays as it is: no rule for passwords allows it.
 */
export function normalizePassword(password: string): string {
  return password.length > maxNormalizedLength ? password : password.normalize('NFKC');
}
