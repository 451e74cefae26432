// What commands print. Names and errors come from projects: at a terminal their control characters would be commands.

/** Also what turns the direction of text around, or ends a line. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Returns the text of these lines, each with its end. What a terminal would not print as it is becomes U+FFFD. */
export const linesText = (...lines: readonly string[]): string =>
  lines.map((line) => `${line.replace(unprintable, '\ufffd')}\n`).join('');

/** Returns a value as a line of JSON. What a terminal would not print as it is is escaped, which means the same. */
export const jsonLine = (value: unknown): string =>
  `${JSON.stringify(value).replace(unprintable, escaped)}\n`;

const escaped = (letter: string): string =>
  `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
