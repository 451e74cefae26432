/** Deeper values make recursive code fail. */
const maxJsonDepth = 20;
/** Members of objects and items of lists in one body: validation costs some microseconds for each. */
const maxJsonParts = 10_000;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Returns why a JSON text is too expensive to process: it is nested too deeply, or has too many members and items.
 * Returns undefined for a text within the limits, whether or not it is valid. Reads the text once.
 */
export function jsonProblem(text: string): string | undefined {
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at);
        break;
      case openBrace:
      case openBracket:
        if ((depth += 1) > maxJsonDepth) return `is nested more than ${maxJsonDepth} levels deep`;
        if ((parts += 1) > maxJsonParts) return tooMany;
        break;
      case closeBrace:
      case closeBracket:
        depth -= 1;
        break;
      case comma:
      case colon:
        if ((parts += 1) > maxJsonParts) return tooMany;
        break;
    }
  }
  return undefined;
}

const tooMany = `has more than ${maxJsonParts} members and items`;

/** The end of the string that begins at `at`: strings are most of a large body, so they are skipped natively. */
function endOfString(text: string, at: number): number {
  let end = text.indexOf('"', at + 1);
  while (end !== -1) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}
