// What a client that comes back has missed.

import type { RealtimeDatabase } from '../ports.js';
import { cursorOf, type Epoch, isPartOfPage, positionOf, runPrefixOf } from './cursor.js';
import { outlives, type Page, type PageLimits, readEpoch, readPage } from './feed.sql.js';
import type { Line } from './lines.js';

export type Replay =
  | { readonly kind: 'lines'; readonly lines: readonly Line[]; readonly cursor: string }
  /** Some of what the client has missed is gone, or is more than was allowed. */
  | { readonly kind: 'lost' };

export interface ReplayRequest {
  readonly cursor: string;
  readonly tables: readonly number[];
  readonly maxLines: number;
}

const maxBytes = 16 * 1024 * 1024;
const lost: Replay = { kind: 'lost' };

/** Returns the changes of tables after a cursor. Throws the errors of the database. */
export async function replay(
  db: RealtimeDatabase,
  known: Epoch,
  request: ReplayRequest,
): Promise<Replay> {
  const outcome = await replayIn(db, known, request);
  if (outcome.kind === 'lines') return outcome;
  // The server may have begun another run since then.
  const epoch = await readEpoch(db);
  return epoch.run === known.run ? outcome : replayIn(db, epoch, request);
}

async function replayIn(
  db: RealtimeDatabase,
  epoch: Epoch,
  { cursor, tables, maxLines }: ReplayRequest,
): Promise<Replay> {
  const { run } = epoch;
  const start = positionOf(cursor, epoch);
  if (!start) return lost;
  if (start.runPrefix !== runPrefixOf(run) && !(await outlives(db, start))) return lost;
  const limits: PageLimits = { maxLines, maxBytes };
  const read = (position: string): Promise<Page> => readPage(db, { position, run }, limits, tables);
  const page = await read(start.position);
  // A page that ends in the middle was too small.
  if (page.kind === 'lost' || isPartOfPage(page.position)) return lost;
  const first: Replay = { ...page, cursor: cursorOf(epoch, page.position) };
  // The cursor may be from the middle of a page; what follows that page is another one.
  if (!isPartOfPage(start.position)) return first;
  const rest = await read(page.position);
  if (rest.kind === 'lost' || isPartOfPage(rest.position)) return lost;
  const lines = [...page.lines, ...rest.lines];
  if (lines.length > maxLines) return lost;
  return { kind: 'lines', lines, cursor: cursorOf(epoch, rest.position) };
}
