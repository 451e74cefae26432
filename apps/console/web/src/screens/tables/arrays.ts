// One-dimensional arrays as PostgreSQL writes them, such as `{1,NULL,"with, comma"}` (manual, section 8.15.6).

/** The items of an array; undefined for one of several dimensions or other bounds, and for a text that is no array. */
export function itemsOfArray(text: string): readonly (string | null)[] | undefined {
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined;
  const content = text.slice(1, -1);
  if (content.trim() === '') return [];
  const items: (string | null)[] = [];
  let at = 0;
  while (at <= content.length) {
    const item = readItem(content, at);
    if (!item) return undefined;
    items.push(item.value);
    at = item.end + 1;
  }
  return items;
}

/** The item that begins at `at`, and the index of the comma or of the end behind it. */
function readItem(
  content: string,
  at: number,
): { readonly value: string | null; readonly end: number } | undefined {
  const quoted = /\s*"((?:[^"\\]|\\[^])*)"\s*(?=,|$)/y;
  quoted.lastIndex = at;
  const match = quoted.exec(content);
  if (match) {
    return { value: (match[1] ?? '').replace(/\\([^])/g, '$1'), end: quoted.lastIndex };
  }
  const comma = content.indexOf(',', at);
  const end = comma === -1 ? content.length : comma;
  const plain = content.slice(at, end).trim();
  if (plain === '' || /["{}\\]/.test(plain)) return undefined;
  return { value: plain.toUpperCase() === 'NULL' ? null : plain, end };
}

/** The text of an array. */
export function arrayOfItems(items: readonly (string | null)[]): string {
  return `{${items.map(textOfItem).join(',')}}`;
}

function textOfItem(item: string | null): string {
  if (item === null) return 'NULL';
  const isPlain = item !== '' && !/[\s"\\{},]/.test(item) && item.toUpperCase() !== 'NULL';
  return isPlain ? item : `"${item.replace(/["\\]/g, '\\$&')}"`;
}
