// What the connections of the product hold in the database server.

import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import type { Client } from 'pg';
import { callAny } from '../control.js';
import { BENCH_APPLICATION } from '../database/connection.js';
import type { ServedTarget } from '../targets.js';

export interface BackendReading {
  readonly backends: number;
  readonly backendBytes?: number;
  readonly statements?: number;
}

// The list of a session's own statements is closed in a project's database, so this opens it for the run.
const STATEMENTS_SQL = `
grant select on pg_catalog.pg_prepared_statements to authenticated;
grant execute on function pg_catalog.pg_prepared_statement() to authenticated;
create function public.statements_held() returns integer language sql stable
  as 'select count(*)::integer from pg_catalog.pg_prepared_statements';
`;

// More than the product has connections, so that each of them answers one or two.
const ASKED_AT_ONCE = 32;

const agent = new Agent({ keepAlive: false, maxSockets: ASKED_AT_ONCE });

/** Makes the function that reads the memory of the product's connections; `client` is a superuser. */
export async function prepareReading(client: Client): Promise<void> {
  await client.query(STATEMENTS_SQL);
}

/** Memory that a process shares with no other (proc(5), RssAnon); undefined where the system does not have that file. */
export function parseAnonymousBytes(status: string): number | undefined {
  const match = /^RssAnon:\s+(\d+) kB$/m.exec(status);
  return match === null ? undefined : Number(match[1]) * 1024;
}

function anonymousBytesOf(pid: number): number | undefined {
  try {
    return parseAnonymousBytes(readFileSync(`/proc/${String(pid)}/status`, 'latin1'));
  } catch {
    // The server is on another machine, the system is not Linux, or the connection has just closed.
    return undefined;
  }
}

async function statementsHeld(served: ServedTarget): Promise<number | undefined> {
  const asked = Array.from({ length: ASKED_AT_ONCE }, async () => {
    const reply = await callAny({
      agent,
      port: served.port,
      host: served.host,
      method: 'GET',
      path: '/rest/v1/rpc/statements_held',
      headers: { authorization: `Bearer ${served.bearer(1)}` },
    });
    return typeof reply.body === 'number' ? [reply.body] : [];
  });
  const counts = (await Promise.all(asked)).flat();
  return counts.length === 0 ? undefined : Math.max(...counts);
}

/** Reads every connection of the product to the measured database; `admin` is a superuser. */
export async function readBackends(
  admin: Client,
  database: string,
  served: ServedTarget,
): Promise<BackendReading> {
  const statements = await statementsHeld(served);
  const { rows } = await admin.query<{ pid: number }>(
    `select pid from pg_stat_activity
      where datname = $1 and backend_type = 'client backend' and application_name <> $2`,
    [database, BENCH_APPLICATION],
  );
  const sizes = rows.flatMap(({ pid }) => anonymousBytesOf(pid) ?? []);
  return {
    backends: rows.length,
    ...(sizes.length === rows.length && sizes.length > 0
      ? { backendBytes: sizes.reduce((sum, size) => sum + size, 0) }
      : {}),
    ...(statements === undefined ? {} : { statements }),
  };
}
