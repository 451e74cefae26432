/** A range of bytes. Both ends are inclusive and count from 0. */
export type AskedRange =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  | { readonly kind: 'unsatisfiable' };

const whole = { kind: 'whole' } as const;
const rangeForm = /^(?:(\d+)-(\d*)|-(\d+))$/;

/**
 * Evaluates the header Range for an object of `size` bytes (RFC 9110 section 14). One range selects a part; for several
 * ranges, other units and malformed headers the answer is the whole object. For an empty object a range that begins at
 * 0 is the whole, because some clients send such a range with each request.
 */
export function resolveRange(header: string, size: number): AskedRange {
  const [, list] = /^bytes=(.*)$/is.exec(header.trim()) ?? [];
  if (list === undefined) return whole;
  const ranges: AskedRange[] = [];
  for (const item of list.split(',')) {
    const text = item.trim();
    if (text === '') continue;
    const range = resolveOne(text, size);
    if (range === undefined) return whole;
    ranges.push(range);
  }
  const [first, ...others] = ranges;
  if (first === undefined) return whole;
  if (others.length === 0 || ranges.every(({ kind }) => kind === 'unsatisfiable')) return first;
  return whole;
}

/** The header Content-Range of a part, or of a refusal if there is no part. */
export function contentRange(
  part: { start: number; end: number } | undefined,
  size: number,
): string {
  return part === undefined ? `bytes */${size}` : `bytes ${part.start}-${part.end}/${size}`;
}

/** Undefined if the text is not a range. */
function resolveOne(text: string, size: number): AskedRange | undefined {
  const [match, first, last, suffix] = rangeForm.exec(text) ?? [];
  if (match === undefined) return undefined;
  if (suffix !== undefined) return part(size - Math.min(Number(suffix), size), Infinity, size);
  const start = Number(first);
  const end = last === '' ? Infinity : Number(last);
  if (end < start) return undefined;
  return part(start, end, size);
}

function part(start: number, end: number, size: number): AskedRange {
  if (start < size) return { kind: 'part', start, end: Math.min(end, size - 1) };
  return size === 0 && start === 0 ? whole : { kind: 'unsatisfiable' };
}
