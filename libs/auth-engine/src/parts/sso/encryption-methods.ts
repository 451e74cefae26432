const opening = /^<(?:[\w-]+:)?EncryptionMethod[\s>]/;
const closing = 'EncryptionMethod>';

/**
 * Returns `xml` without its `EncryptionMethod` elements: how keys are encrypted. The digest in them signs nothing.
 * The text is read once from its start to its end, because anybody may send it.
 */
export function withoutEncryptionMethods(xml: string): string {
  const kept: string[] = [];
  let at = 0;
  for (;;) {
    const open = xml.indexOf('<', at);
    const openEnd = open < 0 ? -1 : xml.indexOf('>', open);
    if (openEnd < 0) break;
    const tag = xml.slice(open, openEnd + 1);
    const isEmpty = tag.endsWith('/>');
    if (!opening.test(tag) || isEmpty) {
      kept.push(xml.slice(at, openEnd + 1));
      at = openEnd + 1;
      continue;
    }
    const close = xml.indexOf(closing, openEnd);
    if (close < 0) break;
    kept.push(xml.slice(at, open));
    at = close + closing.length;
  }
  return kept.join('') + xml.slice(at);
}
