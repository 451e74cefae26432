// The cursor that clients keep: a position with the epoch of the outbox and the run of the server that it belongs to.

/**
 * A position is `snapshot`, or within a page `snapshot/snapshot/seq` or `snapshot/snapshot/ahead_of/seq`
 * (migrations/project/0072_realtime_order.sql).
 */
const cursorPattern =
  /^([0-9a-f]{12})([0-9a-f]{8})\.([0-9:,]+(?:\/[0-9:,]+(?:\/[0-9]{1,19}){1,2})?)$/;
const snapshotPattern = /^(\d{1,19}):(\d{1,19}):((?:\d{1,19}(?:,\d{1,19})*)?)$/;
/** About 700 transactions that run at a time. */
const maxLength = 16_384;

/** Which outbox, and in which state of its numbers, positions belong to. */
export interface Epoch {
  /** 12 hexadecimal digits. */
  readonly outbox: string;
  /** The row of realtime.run, which a crash of PostgreSQL takes away. */
  readonly run: string;
}

export interface CursorPosition {
  readonly position: string;
  /** The beginning of the id of the run in which it was read. */
  readonly runPrefix: string;
}

export function cursorOf({ outbox, run }: Epoch, position: string): string {
  return `${outbox}${runPrefixOf(run)}.${position}`;
}

/** Returns the position of a cursor that a client sent; undefined if it is of another outbox or no cursor at all. */
export function positionOf(cursor: string, { outbox }: Epoch): CursorPosition | undefined {
  if (cursor.length > maxLength) return undefined;
  const [, itsOutbox, runPrefix = '', position = ''] = cursorPattern.exec(cursor) ?? [];
  if (itsOutbox !== outbox) return undefined;
  const [seen = '', target] = position.split('/');
  const isPosition = isSnapshot(seen) && (target === undefined || isSnapshot(target));
  return isPosition ? { position, runPrefix } : undefined;
}

/** Returns the first eight digits of the id of a run, as cursors and `realtime.outlives` have it. */
export function runPrefixOf(run: string): string {
  return run.slice(0, 8);
}

/** Whether lines of the page are left that the position goes towards. */
export function isPartOfPage(position: string): boolean {
  return position.includes('/');
}

/** Whether PostgreSQL would read it: the running transactions grow, between the ends. */
function isSnapshot(text: string): boolean {
  const [, xmin, xmax, running = ''] = snapshotPattern.exec(text) ?? [];
  if (xmin === undefined || xmax === undefined) return false;
  const [first, end] = [BigInt(xmin), BigInt(xmax)];
  let last = first - 1n;
  for (const txid of running === '' ? [] : running.split(',').map(BigInt)) {
    if (txid <= last || txid >= end) return false;
    last = txid;
  }
  return first > 0n && first <= end;
}
