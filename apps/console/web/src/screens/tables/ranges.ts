// Ranges as PostgreSQL writes them, such as `[1,5)` or `["2026-01-01 00:00:00+00",)` (manual, section 8.17.5).

export interface Bounds {
  readonly kind: 'bounds';
  /** Empty: without a bound. */
  readonly lower: string;
  readonly upper: string;
  readonly isLowerIncluded: boolean;
  readonly isUpperIncluded: boolean;
}

type Range = { readonly kind: 'empty' } | Bounds;

const bound = String.raw`(?:"((?:[^"\\]|\\[^]|"")*)"|([^,"()[\]]*))`;
const pattern = new RegExp(String.raw`^([[(])${bound},${bound}([\])])$`);

/** Undefined for a text that is no range. */
export function readRange(text: string): Range | undefined {
  if (text.trim().toLowerCase() === 'empty') return { kind: 'empty' };
  const match = pattern.exec(text.trim());
  if (!match) return undefined;
  const [, open, quotedLower, lower = '', quotedUpper, upper = '', close] = match;
  return {
    kind: 'bounds',
    lower: unquoted(quotedLower) ?? lower,
    upper: unquoted(quotedUpper) ?? upper,
    isLowerIncluded: open === '[',
    isUpperIncluded: close === ']',
  };
}

function unquoted(text: string | undefined): string | undefined {
  return text?.replace(/\\([^])|""/g, (_match, escaped?: string) => escaped ?? '"');
}

export function textOfRange(range: Range): string {
  if (range.kind === 'empty') return 'empty';
  const { lower, upper, isLowerIncluded, isUpperIncluded } = range;
  const open = isLowerIncluded && lower !== '' ? '[' : '(';
  const close = isUpperIncluded && upper !== '' ? ']' : ')';
  return `${open}${textOfBound(lower)},${textOfBound(upper)}${close}`;
}

function textOfBound(text: string): string {
  return /[\s"\\,()[\]]/.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text;
}
