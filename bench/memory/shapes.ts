// Requests of which no two have the same shape: what a client sends that builds its queries from parts.

const COLUMNS = [
  'id',
  'author_id',
  'owner_id',
  'title',
  'body',
  'published',
  'created_at',
] as const;
const COLUMN_SETS = 2 ** COLUMNS.length - 1;
const DIRECTIONS = ['asc', 'desc', 'asc.nullsfirst', 'desc.nullslast'] as const;
const FILTERS = ['', '&id=gt.5', '&published=is.true', '&title=like.Post*', '&body=neq.x'] as const;
const LIMITS = [1, 2] as const;

/** How many shapes there are. */
export const SHAPES =
  COLUMN_SETS * COLUMNS.length * DIRECTIONS.length * FILTERS.length * LIMITS.length;

// Coprime to the number of shapes, so that neighbors differ in every part and none comes twice.
const STEP = 7_919;

function columnsOf(set: number): string {
  return COLUMNS.filter((_, index) => (set >> index) % 2 === 1).join(',');
}

function pick<Value>(values: readonly Value[], index: number): Value {
  const value = values[index % values.length];
  if (value === undefined) throw new Error('There is nothing to pick from');
  return value;
}

/** The path of one shape; the same for two indexes only when they differ by a multiple of SHAPES. */
export function shapePath(index: number): string {
  let rest = (index * STEP) % SHAPES;
  const next = (count: number): number => {
    const digit = rest % count;
    rest = Math.floor(rest / count);
    return digit;
  };
  const select = columnsOf(1 + next(COLUMN_SETS));
  const order = `${pick(COLUMNS, next(COLUMNS.length))}.${pick(DIRECTIONS, next(DIRECTIONS.length))}`;
  const filter = pick(FILTERS, next(FILTERS.length));
  const limit = String(pick(LIMITS, next(LIMITS.length)));
  // One author's posts, so that ordering by a column without an index stays cheap.
  return `/rest/v1/posts?select=${select}&author_id=eq.7${filter}&order=${order}&limit=${limit}`;
}
