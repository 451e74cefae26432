// What tests of the feed and the judge share: a clock, and a feed that keeps what it delivers.
import type { Client } from 'pg';
import {
  type Audience,
  type Change,
  type Clock,
  Feed,
  type FeedOptions,
  type RealtimeDatabase,
  Visibility,
  type VisibilityOptions,
  type Line,
  type Verdict,
} from '#libs/realtime';
import { readEpoch, readPage, readPosition } from '../../libs/realtime/src/feed/feed.sql.js';
import type { ProjectFixture } from '../database/project-fixture.js';

export const clock: Clock = {
  now: () => performance.now(),
  setTimer(ms, work) {
    const timer = setTimeout(work, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};

export interface Heard {
  readonly feed: Feed;
  readonly lines: Line[];
  /** The positions after each delivery. */
  readonly positions: string[];
  readonly errors: unknown[];
  gaps: number;
  /** How often everything up to a position was delivered, also if that was nothing. */
  polls: number;
}

/** A feed, and all that it has delivered. `hear` may throw: then nothing is kept. */
export async function openFeed(
  db: RealtimeDatabase,
  options: Partial<FeedOptions> & { readonly hear?: () => void } = {},
): Promise<Heard> {
  const { hear, ...rest } = options;
  const heard: Omit<Heard, 'feed'> = { lines: [], positions: [], errors: [], gaps: 0, polls: 0 };
  const feed = await Feed.open(
    { db, clock },
    {
      lines(lines, position) {
        hear?.();
        heard.lines.push(...lines);
        heard.positions.push(position);
        return Promise.resolve();
      },
      accountsChanged: () => Promise.resolve(),
      reached: () => void heard.polls++,
      gap: () => void heard.gaps++,
    },
    { onError: (error) => heard.errors.push(error), ...rest },
  );
  return Object.assign(heard, { feed });
}

/** The oid of a table, and its bit in the gate. */
export async function tableOf(
  admin: Client,
  name: string,
): Promise<{ readonly oid: number; readonly bit: number }> {
  const { rows } = await admin.query<{ oid: number; bit: number }>(
    'select $1::regclass::oid as oid, pg_catalog.rowhouse_gate_bit($1::regclass) as bit',
    [name],
  );
  const [row] = rows;
  if (!row) throw new Error(`No table ${name}`);
  return row;
}

export const isChange = (line: Line): line is Change => 'table' in line;

/** A caller as its lookup sets it. */
export function audience(subject: string, claims: object = {}): Audience {
  return { subject, claims: JSON.stringify({ sub: subject, role: 'authenticated', ...claims }) };
}

export interface Stage {
  readonly visibility: Visibility;
  /** Runs SQL and returns the changes of a table that it has made. */
  changes(table: string, sql: string): Promise<readonly Change[]>;
  /** The changes as callers with the role `authenticated` see them. */
  ask(changes: readonly Change[], subjects: readonly string[]): Promise<Verdict>;
}

/** Opens the gate for everything, and the visibility. */
export async function openStage(
  project: ProjectFixture,
  options?: Partial<VisibilityOptions>,
): Promise<Stage> {
  const db = project.open();
  await db.queryAsEngine(
    'select realtime.open(array(select generate_series(0, 61))::int2[], $1, 3600)',
    ['stage'],
  );
  const { run } = await readEpoch(db);
  const visibility = new Visibility(db, options);
  return {
    visibility,
    async changes(table, sql) {
      const { position } = await readPosition(db);
      await project.admin.query(sql);
      const { oid } = await tableOf(project.admin, table);
      const limits = { maxLines: 10_000, maxBytes: 1e9 };
      const page = await readPage(db, { position, run }, limits, [oid]);
      return page.kind === 'lines' ? page.lines.filter(isChange) : [];
    },
    ask(changes, subjects) {
      const audiences = subjects.map((subject) => audience(subject));
      const table = changes[0]?.table ?? 0;
      return visibility.decide({ table, role: 'authenticated', changes, audiences, filters: [] });
    },
  };
}
