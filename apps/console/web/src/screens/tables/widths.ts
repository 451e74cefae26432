// How wide the columns of a table are, kept by the browser.
const prefix = 'rowhouse.columns.';

export type Widths = Readonly<Record<string, number>>;

const keyOf = (ref: string, table: string): string => `${prefix}${ref}.${table}`;

export function readWidths(ref: string, table: string): Widths {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(ref, table)) ?? '{}');
    const entries = Object.entries(Object(stored)).filter(
      (entry): entry is [string, number] => typeof entry[1] === 'number',
    );
    return Object.fromEntries(entries);
  } catch (error) {
    // What another program has written there.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

export function keepWidth(ref: string, table: string, column: string, width: number): void {
  const widths = { ...readWidths(ref, table), [column]: Math.round(width) };
  localStorage.setItem(keyOf(ref, table), JSON.stringify(widths));
}
