// The bits of the gate (migrations/project/0065_realtime.sql).

/** Changes of accounts. */
export const accountBit = 0;
/** Messages that SQL sends. */
export const messageBit = 1;

/** Changes of the table with this oid, and of all whose numbers have the same remainder. */
export function bitOfTable(oid: number): number {
  return 2 + (oid % 60);
}
