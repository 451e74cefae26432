// Changes that are made in the grid and not saved yet. A change remembers the row as it was read, so that the server can
// refuse it when the row has changed meanwhile.
export type Cell = string | null;

/** The values of a row by column. */
export type RowTexts = Readonly<Record<string, Cell>>;

/** Values that are set by column; undefined takes back that of a new row, so that its default applies. */
export type GivenValues = Readonly<Record<string, Cell | undefined>>;

/** A row that the server has, with the identity that its changes are kept under. */
export interface KnownRow {
  readonly id: string;
  readonly key: RowTexts;
  readonly values: RowTexts;
}

export type Change =
  | {
      readonly kind: 'update';
      readonly key: RowTexts;
      /** All columns as they were read. */
      readonly read: RowTexts;
      readonly values: RowTexts;
    }
  | { readonly kind: 'delete'; readonly key: RowTexts; readonly read: RowTexts }
  /** A column without a value gets its default. */
  | { readonly kind: 'insert'; readonly values: RowTexts };

/** Changes by the id of their row, in the order in which they were begun. */
export type Staged = ReadonlyMap<string, Change>;

export const nothingStaged: Staged = new Map();

/** The identity of a row; undefined without a primary key or with an incomplete row. */
export function knownRow(primaryKey: readonly string[], values: RowTexts): KnownRow | undefined {
  if (primaryKey.length === 0) return undefined;
  const texts = primaryKey.map((name) => values[name]);
  if (texts.some((text) => typeof text !== 'string')) return undefined;
  const key = Object.fromEntries(primaryKey.map((name) => [name, values[name] ?? null]));
  return { id: `row:${JSON.stringify(texts)}`, key, values };
}

/** With a cell of a row set; a value that is that of the server again is no change any more. */
export function setCell(staged: Staged, row: KnownRow, column: string, value: Cell): Staged {
  const former = staged.get(row.id);
  if (former?.kind === 'delete') return staged;
  const read = former?.kind === 'update' ? former.read : row.values;
  const values = { ...(former?.kind === 'update' && former.values), [column]: value };
  if (read[column] === value) delete values[column];
  const isChange = Object.keys(values).length > 0;
  return isChange
    ? withChange(staged, row.id, { kind: 'update', key: row.key, read, values })
    : without(staged, row.id);
}

/** With a value of a new row set; undefined takes it back, so that the default applies. */
export function setNewCell(
  staged: Staged,
  id: string,
  column: string,
  value: Cell | undefined,
): Staged {
  const former = staged.get(id);
  if (former?.kind !== 'insert') return staged;
  const { [column]: _former, ...rest } = former.values;
  const values = value === undefined ? rest : { ...rest, [column]: value };
  return withChange(staged, id, { kind: 'insert', values });
}

/** With a new row, under an id that no other has. */
export function addRow(staged: Staged, values: RowTexts = {}): { staged: Staged; id: string } {
  let number = staged.size + 1;
  while (staged.has(`new:${number}`)) number++;
  const id = `new:${number}`;
  return { staged: withChange(staged, id, { kind: 'insert', values }), id };
}

/** With a row to be deleted. */
export function deleteKnown(staged: Staged, row: KnownRow): Staged {
  const former = staged.get(row.id);
  const read = former?.kind === 'update' ? former.read : row.values;
  return withChange(staged, row.id, { kind: 'delete', key: row.key, read });
}

/** Without the change of a row. */
export function without(staged: Staged, id: string): Staged {
  const rest = new Map(staged);
  rest.delete(id);
  return rest;
}

function withChange(staged: Staged, id: string, change: Change): Staged {
  return new Map(staged).set(id, change);
}

/** A conflict settled in favour of the change: it applies to the row as it is now. */
export function rebase(staged: Staged, id: string, now: RowTexts): Staged {
  const change = staged.get(id);
  if (!change || change.kind === 'insert') return staged;
  if (change.kind === 'delete') return withChange(staged, id, { ...change, read: now });
  const values = Object.fromEntries(
    Object.entries(change.values).filter(([column, value]) => now[column] !== value),
  );
  return Object.keys(values).length === 0
    ? without(staged, id)
    : withChange(staged, id, { ...change, read: now, values });
}

/** Rows after a save by the ids that their changes were staged under, null for a deleted one. */
interface SavedRows {
  readonly rows: ReadonlyMap<string, RowTexts | null>;
  readonly primaryKey: readonly string[];
}

/** Rows as they were saved, by the ids that their changes were staged under. */
export function knownSaved({ rows, primaryKey }: SavedRows): ReadonlyMap<string, KnownRow> {
  return new Map(
    [...rows].flatMap(([id, row]) => {
      const known = row ? knownRow(primaryKey, row) : undefined;
      return known ? [[id, known]] : [];
    }),
  );
}

/** What is still staged when `sent` was saved: what was changed meanwhile, as changes of the rows as they are now. */
export function stagedSince(now: Staged, sent: Staged, { rows, primaryKey }: SavedRows): Staged {
  return [...now].reduce((rest, [id, change]) => {
    const former = sent.get(id);
    if (!former) return rest;
    const left = without(rest, id);
    const row = rows.get(id);
    const known = row ? knownRow(primaryKey, row) : undefined;
    if (former === change || !known) return left;
    if (change.kind === 'delete') return deleteKnown(left, known);
    const before = former.kind === 'delete' ? {} : former.values;
    return Object.entries(change.values)
      .filter(([column, value]) => before[column] !== value)
      .reduce((all, [column, value]) => setCell(all, known, column, value), left);
  }, now);
}

/** A change as the API takes it. */
export type SentChange =
  | { readonly kind: 'insert'; readonly values: RowTexts }
  | {
      readonly kind: 'update';
      readonly key: RowTexts;
      readonly was: RowTexts;
      readonly values: RowTexts;
    }
  | { readonly kind: 'delete'; readonly key: RowTexts; readonly was: RowTexts };

/** Changes in the order in which they are saved: what is deleted first frees its keys for others. */
export function ordered(staged: Staged): readonly (readonly [id: string, change: Change])[] {
  const place = { delete: 0, update: 1, insert: 2 };
  return [...staged].toSorted(([, one], [, other]) => place[one.kind] - place[other.kind]);
}

export function sentChange(change: Change): SentChange {
  switch (change.kind) {
    case 'insert':
      return change;
    case 'delete':
      return { kind: 'delete', key: change.key, was: change.read };
    case 'update': {
      const { key, read, values } = change;
      const was = Object.fromEntries(
        Object.keys(values).map((column) => [column, read[column] ?? null]),
      );
      return { kind: 'update', key, was, values };
    }
  }
}

interface SavedTable {
  readonly primaryKey: readonly string[];
  /** Columns that the database computes: no write names them. */
  readonly generated: ReadonlySet<string>;
}

/** The changes that take saved ones back, in the opposite order; `rows` are the answer of the API. */
export function undoOf(
  saved: readonly Change[],
  rows: readonly (RowTexts | null)[],
  { primaryKey, generated }: SavedTable,
): readonly SentChange[] {
  const writable = (values: RowTexts): RowTexts =>
    Object.fromEntries(Object.entries(values).filter(([column]) => !generated.has(column)));
  const undone = saved.map((change, index): SentChange | undefined => {
    if (change.kind === 'delete') return { kind: 'insert', values: writable(change.read) };
    const row = rows[index];
    const known = row && knownRow(primaryKey, row);
    if (!row || !known) return undefined;
    if (change.kind === 'insert') return { kind: 'delete', key: known.key, was: row };
    const columns = Object.keys(change.values);
    const pick = (from: RowTexts): RowTexts =>
      Object.fromEntries(columns.map((column) => [column, from[column] ?? null]));
    return { kind: 'update', key: known.key, was: pick(row), values: pick(change.read) };
  });
  return undone.filter((change) => change !== undefined).toReversed();
}
