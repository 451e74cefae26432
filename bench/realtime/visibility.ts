// Which callers see a change: how many decisions one connection of the database makes a second, through the
// product's own library, and what a transaction for each user costs instead.

import { escapeLiteral } from 'pg';
import { ConnectionBudget, openProjectDatabase, type ProjectDatabase } from '#libs/database';
import { type Audience, type Change, readTopicRights, Visibility } from '#libs/realtime';
import type { Measurement } from '../rate-book.js';
import type { CheckedSeries } from '../storage/place.js';
import {
  DECIDE_MANY_SHARED,
  DECIDE_MANY_SIMPLE,
  DECIDE_SHARED,
  DECIDE_SIMPLE,
  TOPIC_RIGHTS,
  USER_QUERIES,
} from './demands.js';
import { type RealtimePlace, timesMeasured } from './place.js';
import { oidOf, OWNED, SHARED } from './tables.js';

const USERS = 10_000;
const FEWER_USERS = 1_000;
const CHANGES = 100;
const REPEATS = 5;
const QUERIED_USERS = 500;
const TOPICS = 200;

interface Asked {
  readonly table: string;
  readonly changes: number;
  readonly users: number;
}

function audienceOf(user: number): Audience {
  const sub = `bench_user_${String(user)}`;
  return { subject: sub, claims: JSON.stringify({ sub, role: 'authenticated' }) };
}

/** A row of the user of the same number, which is shared with that user alone. */
function changeOf(table: number, number: number): Change {
  const owner_id = `bench_user_${String(number)}`;
  const row = { id: number, owner_id, published: false, body: 'What row it is' };
  return {
    seq: String(number),
    txid: '1',
    kind: 'I',
    table,
    newText: JSON.stringify(row),
    oldText: null,
    isCut: false,
    at: '2026-01-01T00:00:00+00:00',
  };
}

/** The project's database as the product opens it, with the roles' connections alone. */
function openDatabase({ site, login, cleanup }: RealtimePlace): ProjectDatabase {
  const { host, port, database } = site.address;
  const db = openProjectDatabase({
    ref: 'bench',
    host,
    port,
    database,
    idType: 'text',
    logins: { owner: login, editor: login, api: login, engine: login, deleter: login, lab: login },
    budget: new ConnectionBudget(),
  });
  return cleanup.keep(db, (opened) => opened.close(1_000));
}

/** Asks once and gives how many of the users see each change. */
async function decide(
  visibility: Visibility,
  table: number,
  { changes, users }: Omit<Asked, 'table'>,
): Promise<number[]> {
  const verdict = await visibility.decide({
    table,
    role: 'authenticated',
    changes: Array.from({ length: changes }, (_, index) => changeOf(table, 1 + index)),
    audiences: Array.from({ length: users }, (_, index) => audienceOf(1 + index)),
    filters: [],
  });
  if (verdict.errors.size > 0) throw new Error('A policy raised an error');
  return Array.from(
    { length: changes },
    (_, index) => verdict.newVisible.filter((bits) => bits[index] === '1').length,
  );
}

async function decisionSeries(
  place: RealtimePlace,
  visibility: Visibility,
  { key, ...asked }: Asked & { readonly key: CheckedSeries['key'] },
): Promise<CheckedSeries> {
  const table = await oidOf(place.writer, asked.table);
  return {
    key,
    async faultOf() {
      const seen = await decide(visibility, table, asked);
      const isRight = seen.every((count) => count === 1);
      return isRight ? undefined : 'a row of one user is not seen by one user';
    },
    async measure(): Promise<Measurement> {
      const times: number[] = [];
      for (let turn = 0; turn < REPEATS; turn += 1) {
        const startedAt = performance.now();
        await decide(visibility, table, asked);
        times.push(performance.now() - startedAt);
      }
      const { p50Ms = 0, ...more } = timesMeasured(times);
      return { ...more, p50Ms, perSecond: (asked.changes * asked.users * 1000) / p50Ms };
    },
  };
}

/** A row is read again as each user, in a transaction for each: three round trips on one connection. */
function userQuerySeries({ writer }: RealtimePlace): CheckedSeries {
  const read = async (user: number): Promise<number> => {
    const { claims, subject } = audienceOf(user);
    await writer.query(
      `begin; set local role authenticated;
       select set_config('request.jwt.claims', ${escapeLiteral(claims)}, true),
         set_config('request.jwt.claim.sub', ${escapeLiteral(subject)}, true)`,
    );
    const { rowCount } = await writer.query({
      name: 'read again',
      text: `select from public.${SHARED} where id = $1`,
      values: [1],
    });
    await writer.query('commit');
    return rowCount ?? 0;
  };
  return {
    key: USER_QUERIES,
    async faultOf() {
      await writer.query(`insert into public.${SHARED} values (1, 'bench_user_1', false, 'row')
        on conflict do nothing`);
      const seen = [await read(1), await read(2)];
      return seen[0] === 1 && seen[1] === 0 ? undefined : 'a row of one user is seen by others';
    },
    async measure() {
      const startedAt = performance.now();
      for (let user = 1; user <= QUERIED_USERS; user += 1) await read(user);
      const seconds = (performance.now() - startedAt) / 1000;
      return { perSecond: QUERIED_USERS / seconds };
    },
  };
}

/** What the policies of private topics allow a user. */
function topicSeries(db: ProjectDatabase): CheckedSeries {
  const rightsOf = (user: number, topic: number) => {
    const rights = {
      role: 'authenticated',
      userId: undefined,
      audience: '',
      expiresAt: undefined,
    } as const;
    return readTopicRights(db, { ...rights, ...audienceOf(user) }, `topic-${String(topic)}`);
  };
  return {
    key: TOPIC_RIGHTS,
    async faultOf() {
      const own = await rightsOf(1, 1);
      const foreign = await rightsOf(1, 2);
      const isRight =
        own.mayReceive.broadcast &&
        own.maySend.broadcast &&
        !own.maySend.presence &&
        !foreign.mayReceive.broadcast;
      return isRight ? undefined : 'the policies of topics are not followed';
    },
    async measure() {
      const times: number[] = [];
      for (let topic = 1; topic <= TOPICS; topic += 1) {
        const startedAt = performance.now();
        await rightsOf(topic, topic);
        times.push(performance.now() - startedAt);
      }
      return timesMeasured(times);
    },
  };
}

export async function openVisibility(place: RealtimePlace): Promise<CheckedSeries[]> {
  const db = openDatabase(place);
  const visibility = new Visibility(db, { statementMs: 20_000 });
  const series = (key: CheckedSeries['key'], asked: Asked): Promise<CheckedSeries> =>
    decisionSeries(place, visibility, { key, ...asked });
  return [
    await series(DECIDE_SHARED, { table: SHARED, changes: 1, users: USERS }),
    await series(DECIDE_MANY_SHARED, { table: SHARED, changes: CHANGES, users: FEWER_USERS }),
    await series(DECIDE_SIMPLE, { table: OWNED, changes: 1, users: USERS }),
    await series(DECIDE_MANY_SIMPLE, { table: OWNED, changes: CHANGES, users: USERS }),
    userQuerySeries(place),
    topicSeries(db),
  ];
}
