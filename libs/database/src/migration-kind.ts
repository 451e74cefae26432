// Whether releases that do not know a migration can use a database that has it. A file says so in its first line:
//
//   -- expand                                 It adds. Every earlier release works as before. The default.
//   -- contract: requires 0064_schema_name    It changes or removes. A release works if it knows the named migration
//                                             of the same folder, or this one.

const header = /^-- *(?:expand|contract)\b/i;
const expand = /^-- expand$/;
const contract = /^-- contract: requires (\d{4}_[a-z0-9_]+)$/;

/**
 * Returns the migration that a release must know to use a database with this one; undefined if every release can.
 * Throws for an invalid declaration in the first line.
 */
export function requirementOf(name: string, sql: string): string | undefined {
  const [line = ''] = sql.split('\n', 1);
  if (!header.test(line) || expand.test(line)) return undefined;
  const [, required] = contract.exec(line) ?? [];
  if (required !== undefined) return required;
  throw new Error(
    `The first line of ${name} is neither "-- expand" nor "-- contract: requires 0001_name": ${line}`,
  );
}
