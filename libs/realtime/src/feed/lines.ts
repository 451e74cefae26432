// The lines of the outbox as values. JSON stays text: numbers keep their digits, and reading it would cost more than all
// the rest.

import { isRecord } from '#libs/wire';

/** The fields of every line. */
interface LineHeader {
  /** Unique. Lines are delivered in the order of these numbers, but for what triggers of the project have written. */
  readonly seq: string;
  readonly txid: string;
}

/** A change of a row. */
export interface Change extends LineHeader {
  readonly kind: 'I' | 'U' | 'D';
  /** The oid of the table. */
  readonly table: number;
  /** The row after the change, as JSON. */
  readonly newText: string | null;
  /** The row before the change, as JSON. */
  readonly oldText: string | null;
  /** The rows were too large: only their primary keys are here. */
  readonly isCut: boolean;
  /** When the row was written, as PostgreSQL writes times in JSON. */
  readonly at: string;
}

/** A message that `realtime.send` sent. */
export interface Message extends LineHeader {
  readonly kind: 'B';
  /** JSON of topic, event, payload and private. */
  readonly text: string;
}

/** The rights of a user have changed. */
export interface AccountChange extends LineHeader {
  readonly kind: 'A';
  readonly userId: string;
}

export type Line = Change | Message | AccountChange;

/** A row of `realtime.read`. */
export interface LineRow {
  readonly seq: string;
  readonly txid: string;
  /** Null for a line that is left out. */
  readonly kind: string | null;
  readonly tbl: number | null;
  readonly n: string | null;
  readonly o: string | null;
  readonly is_cut: boolean;
  readonly at: string;
}

/** Returns the line of a row; undefined for a kind that this release does not know, and for a line that is left out. */
export function lineOf({
  kind,
  seq,
  txid,
  tbl,
  n,
  o,
  is_cut: isCut,
  at,
}: LineRow): Line | undefined {
  switch (kind) {
    case 'I':
    case 'U':
    case 'D':
      return { kind, seq, txid, table: tbl ?? 0, newText: n, oldText: o, isCut, at };
    case 'B':
      return { kind, seq, txid, text: n ?? '{}' };
    case 'A':
      return { kind, seq, txid, userId: userOf(n) };
    case null:
    default:
      return undefined;
  }
}

function userOf(text: string | null): string {
  const value: unknown = JSON.parse(text ?? '{}');
  const user = isRecord(value) ? value['user'] : undefined;
  return typeof user === 'string' ? user : '';
}
