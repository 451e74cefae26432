// The baseline where pgbench is not installed: the product's own client for project databases, without
// HTTP in front of it. It sends lookup and statement in one round trip and nothing else.

import { ConnectionBudget, openProjectDatabase, type ProjectDatabase } from '#libs/database';
import {
  bindVariables,
  WARM_UP_SECONDS,
  type Baseline,
  type BaselineLoad,
  type BaselineTarget,
  type BaselineWork,
} from './baseline.js';
import type { BenchCase } from './case.js';
import { SESSIONS, tokenOf } from './database/accounts.js';

function openDatabase(target: BaselineTarget, clients: number): ProjectDatabase {
  const login = { user: target.user, password: target.password };
  // One project may have half of a budget.
  const budget = new ConnectionBudget({ total: 2 * clients, perProject: clients });
  return openProjectDatabase({
    ref: 'bench',
    host: target.host,
    port: target.port,
    database: target.database,
    logins: { owner: login, editor: login, api: login, engine: login, deleter: login, lab: login },
    idType: 'text',
    budget,
  });
}

function anyOf(count: number): number {
  return 1 + Math.floor(Math.random() * count);
}

async function runOnce(database: ProjectDatabase, measured: BenchCase): Promise<void> {
  const values = { n: String(anyOf(measured.keys)), body: measured.body ?? '' };
  await database.runTable({
    credential: { kind: 'session', token: tokenOf(anyOf(SESSIONS)) },
    queries: measured.statements.map((statement) => bindVariables(statement, values)),
    readOnly: measured.isRead,
  });
}

/** Keeps `clients` requests on their way for the time; gives how many were answered. */
async function countDuring(
  database: ProjectDatabase,
  measured: BenchCase,
  load: BaselineLoad,
): Promise<number> {
  const endsAt = performance.now() + load.seconds * 1000;
  const client = async (): Promise<number> => {
    let answered = 0;
    // One after another: a client waits for its answer before it asks again.
    for (; performance.now() < endsAt; answered += 1) await runOnce(database, measured);
    return answered;
  };
  const counts = await Promise.all(Array.from({ length: load.clients }, client));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** A baseline through #libs/database, as the login of `target`. */
export function ownClientBaseline(target: BaselineTarget): Baseline {
  return {
    title: 'own pipelined client',
    measures: ({ travel, caller }) => travel === 'pipelined' && caller === 'live lookup',
    async measure({ measured }: BaselineWork, load: BaselineLoad) {
      const database = openDatabase(target, load.clients);
      try {
        await countDuring(database, measured, { ...load, seconds: WARM_UP_SECONDS });
        const startedAt = performance.now();
        const answered = await countDuring(database, measured, load);
        return answered / ((performance.now() - startedAt) / 1000);
      } finally {
        await database.close();
      }
    },
  };
}
