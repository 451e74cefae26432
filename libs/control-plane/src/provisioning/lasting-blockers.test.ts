import { expect, test } from 'vitest';
import { LastingBlockers } from './lasting-blockers.js';
import type { FoundSession } from './lock-sessions.js';

/** A session of the project `project` that keeps a session of `victim` waiting; the logins are named by the project. */
const blocker = (pid: number, project: string, victim: string): FoundSession => ({
  kind: 'blocks others',
  pid,
  began: 'then',
  loginOid: project,
  databaseOid: '1',
  victimLoginOid: victim,
  victimDatabaseOid: '2',
  locks: 0,
});
const projectOf = ({ loginOid }: { readonly loginOid: string | null }) =>
  loginOid === null || loginOid === 'platform' ? undefined : loginOid;

test.each([
  {
    name: 'a session that blocks in two rounds ends',
    rounds: [[blocker(1, 'a', 'b')], [blocker(1, 'a', 'b')]],
    ended: [1],
  },
  {
    name: 'a session that has just got the lock stays',
    rounds: [[blocker(1, 'a', 'platform')], [blocker(2, 'b', 'platform')]],
    ended: [],
  },
  {
    name: 'sessions of one project that take turns end',
    rounds: [[blocker(1, 'a', 'b')], [blocker(2, 'a', 'b')]],
    ended: [2],
  },
  {
    name: 'sessions that block their own project stay',
    rounds: [[blocker(1, 'a', 'a')], [blocker(1, 'a', 'a')]],
    ended: [],
  },
  {
    name: 'sessions of the platform stay',
    rounds: [[blocker(1, 'platform', 'b')], [blocker(1, 'platform', 'b')]],
    ended: [],
  },
])('$name', ({ rounds, ended }) => {
  const blockers = new LastingBlockers();
  const found = rounds.map((rows, round) => blockers.find(rows, projectOf, round * 500));
  expect(found[0]).toEqual([]);
  expect(found[1]?.map(({ pid }) => pid)).toEqual(ended);
});
