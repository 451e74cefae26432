/** Characters inside of tags and between them cost little; what costs is looking for a node among many. */
const maxAttributes = 2_000;

/**
 * Returns what makes `xml` too costly to be looked into, undefined when nothing does. The packages that read SAML sort
 * what they find, and compare each node with all that lie beside it: thousands of small elements take a minute.
 * `maxTags` counts every `<`, those that close an element included.
 */
export function xmlExcess(xml: string, maxTags: number): string | undefined {
  if (countUpTo(xml, '<', maxTags) > maxTags) return `it has more than ${maxTags} tags`;
  // Blanks may be on both sides of the sign; certificates and addresses have few of it.
  return countUpTo(xml, '=', maxAttributes) > maxAttributes
    ? `it has more than ${maxAttributes} attributes`
    : undefined;
}

/** Returns how often `part` occurs, and `most + 1` when it is more often than `most`. */
function countUpTo(text: string, part: string, most: number): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) {
    count += 1;
    if (count > most) break;
  }
  return count;
}
