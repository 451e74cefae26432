// Which of the prepared copies of a file a client gets.

/** Whether a client takes a content coding by name (RFC 9110 §12.5.3): `br`, `gzip`. */
export function acceptsCoding(
  header: string | string[] | undefined,
  coding: 'br' | 'gzip',
): boolean {
  const name = coding === 'gzip' ? '(?:x-)?gzip' : coding;
  const wanted = new RegExp(`^\\s*${name}\\s*(?:;\\s*q=(?!0(?:\\.0*)?\\s*$).*)?$`, 'i');
  return String(header ?? '')
    .split(',')
    .some((each) => wanted.test(each));
}
