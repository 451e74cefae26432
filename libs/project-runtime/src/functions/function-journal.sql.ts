import type { EngineQueries } from '#libs/database';
import type { FunctionInvocation, FunctionLogLine } from '#libs/functions';

/** An invocation with the caller: the id of a user, or the kind of the credential. */
export interface CalledInvocation extends FunctionInvocation {
  readonly caller: string | undefined;
}

export async function insertLogs(
  db: EngineQueries,
  lines: readonly FunctionLogLine[],
): Promise<void> {
  await db.queryAsEngine(
    `insert into platform.edge_function_logs (slug, version, request_id, level, message, at)
     select slug, version, "requestId", level, message, at
     from pg_catalog.jsonb_to_recordset($1::pg_catalog.jsonb) as (
       slug pg_catalog.text, version pg_catalog.int4, "requestId" pg_catalog.text,
       level pg_catalog.text, message pg_catalog.text, at pg_catalog.timestamptz)`,
    [storable(lines)],
  );
}

export async function insertInvocations(
  db: EngineQueries,
  invocations: readonly CalledInvocation[],
): Promise<void> {
  await db.queryAsEngine(
    `insert into platform.edge_function_invocations (slug, version, request_id, method, path, status,
       code, duration_ms, cpu_ms, memory_kb, is_cold_start, caller, at)
     select slug, version, "requestId", method, path, status,
       code, "durationMs", "cpuMs", "memoryKb", "isColdStart", caller, at
     from pg_catalog.jsonb_to_recordset($1::pg_catalog.jsonb) as (
       slug pg_catalog.text, version pg_catalog.int4, "requestId" pg_catalog.text,
       method pg_catalog.text, path pg_catalog.text, status pg_catalog.int4, code pg_catalog.text,
       "durationMs" pg_catalog.float8, "cpuMs" pg_catalog.float8, "memoryKb" pg_catalog.int8,
       "isColdStart" pg_catalog.bool, caller pg_catalog.text, at pg_catalog.timestamptz)`,
    [storable(invocations)],
  );
}

const unstorable = /\0|\p{Surrogate}/gu;

/** JSON whose texts PostgreSQL can store: functions may log anything. */
function storable(rows: readonly object[]): string {
  return JSON.stringify(rows, (_name, value: unknown) =>
    typeof value === 'string' ? value.replace(unstorable, '\uFFFD') : value,
  );
}
