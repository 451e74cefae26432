/** Returns a name as an SQL identifier (PostgreSQL manual 4.1.1). */
export function quoteIdent(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
