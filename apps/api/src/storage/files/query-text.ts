import { isRecord } from '#libs/wire';

/** The value of a parameter of a query string, the first where it is repeated; undefined when it is absent. */
export function firstText(query: unknown, name: string): string | undefined {
  if (!isRecord(query) || !Object.hasOwn(query, name)) return undefined;
  const value = query[name];
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : undefined;
}
