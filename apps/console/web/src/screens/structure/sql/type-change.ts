// Whether the change of a column's type can lose values.

/** Types in the order of what they hold: each holds all values of those before it. */
const WIDER: readonly (readonly string[])[] = [
  ['smallint', 'integer', 'bigint', 'numeric'],
  ['real', 'double precision'],
  ['date', 'timestamp without time zone'],
];
/** Other names of the same types. */
const NAMES: Readonly<Record<string, string>> = {
  int: 'integer',
  int2: 'smallint',
  int4: 'integer',
  int8: 'bigint',
  float4: 'real',
  float8: 'double precision',
  decimal: 'numeric',
  bool: 'boolean',
  timestamp: 'timestamp without time zone',
  timestamptz: 'timestamp with time zone',
  varchar: 'character varying',
};

const canonical = (type: string): string => {
  const plain = type.toLowerCase().replaceAll(/\s+/g, ' ').trim();
  const [, name = plain, rest = ''] = /^([^(]*?) ?(\(.*)?$/.exec(plain) ?? [];
  return (NAMES[name] ?? name) + rest.replaceAll(' ', '');
};

/** Whether values may be rounded, cut off or refused. A change between other types counts as such. */
export function mayLoseValues(from: string, to: string): boolean {
  const [old, next] = [canonical(from), canonical(to)];
  if (old === next || next === 'text' || next === 'character varying') return false;
  if (WIDER.some((order) => order.includes(old) && order.indexOf(next) > order.indexOf(old)))
    return false;
  const lengths = [old, next].map((type) => /^character varying\((\d+)\)$/.exec(type)?.[1]);
  const [oldLength, nextLength] = lengths.map(Number);
  if (lengths.every((length) => length !== undefined)) return (nextLength ?? 0) < (oldLength ?? 0);
  return true;
}
