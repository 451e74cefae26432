// Sizes as people type them. A KB is 1,000 bytes, as everywhere in the console.
const units = ['b', 'kb', 'mb', 'gb', 'tb'];

/** Bytes of a text such as `1.5 GB`; undefined for an empty text, NaN for a text that is no size. */
export function parseSize(text: string): number | undefined {
  const typed = text.trim();
  if (typed === '') return undefined;
  const [, amount = '', unit = 'b'] =
    /^(\d[\d,]*(?:\.\d+)?)\s*(bytes?|[kmgt]?b)?$/i.exec(typed) ?? [];
  if (amount === '') return Number.NaN;
  const short = unit.toLowerCase().replace(/^bytes?$/, 'b');
  const bytes = Math.round(Number(amount.replaceAll(',', '')) * 1000 ** units.indexOf(short));
  return Number.isSafeInteger(bytes) ? bytes : Number.NaN;
}

/** The shortest text that {@link parseSize} reads as exactly these bytes; empty for none. */
export function sizeText(bytes: number | null): string {
  if (bytes === null) return '';
  for (let power = units.length - 1; power > 0; power -= 1) {
    const value = bytes / 1000 ** power;
    const text = `${value} ${(units[power] ?? '').toUpperCase()}`;
    if (value >= 1 && text.length <= 10 && parseSize(text) === bytes) return text;
  }
  return `${bytes}`;
}
