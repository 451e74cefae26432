/**
 * A parameter of an address as a text; undefined if it is missing, empty or of another kind. The router reads numbers out
 * of addresses: `?q=42`.
 */
export function searchText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
