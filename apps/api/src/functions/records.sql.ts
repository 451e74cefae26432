import type { EngineQueries } from '#libs/database';

/** A line that a function has logged. */
export interface FunctionLog {
  readonly id: string;
  readonly slug: string;
  readonly version: number;
  /** Null for a line outside of requests. */
  readonly requestId: string | null;
  readonly level: string;
  readonly message: string;
  readonly at: Date;
}

/** A call of a function that has ended. */
export interface InvocationRecord {
  readonly id: string;
  readonly slug: string;
  readonly version: number;
  readonly requestId: string;
  readonly method: string;
  /** Below the route. */
  readonly path: string;
  readonly status: number;
  /** Of the error, if the function has not answered. */
  readonly code: string | null;
  readonly durationMs: number;
  /** Processor time of the process meanwhile; other requests at the same time count too. */
  readonly cpuMs: number;
  readonly memoryKb: number;
  readonly isColdStart: boolean;
  /** The id of a user, or how the caller was let in. */
  readonly caller: string | null;
  readonly at: Date;
}

export interface RecordFilter {
  readonly function?: string | undefined;
  readonly requestId?: string | undefined;
  readonly before?: string | undefined;
  readonly level?: string | undefined;
}

const matches = `($1::pg_catalog.text is null or slug = $1)
  and ($2::pg_catalog.text is null or request_id = $2)
  and ($3::pg_catalog.int8 is null or id < $3)`;

const valuesOf = ({ function: slug, requestId, before }: RecordFilter): readonly unknown[] => [
  slug ?? null,
  requestId ?? null,
  before ?? null,
];

/** The newest first. */
export function listLogs(
  db: EngineQueries,
  filter: RecordFilter,
  limit: number,
): Promise<readonly FunctionLog[]> {
  return db.queryAsEngine<FunctionLog>(
    `select id::pg_catalog.text as id, slug, version, request_id as "requestId", level, message, at
     from platform.edge_function_logs
     where ${matches} and ($4::pg_catalog.text is null or level = $4)
     order by edge_function_logs.id desc limit $5`,
    [...valuesOf(filter), filter.level ?? null, limit],
  );
}

/** The newest first. */
export function listInvocations(
  db: EngineQueries,
  filter: RecordFilter,
  limit: number,
): Promise<readonly InvocationRecord[]> {
  return db.queryAsEngine<InvocationRecord>(
    `select id::pg_catalog.text as id, slug, version, request_id as "requestId", method, path, status,
       code, duration_ms as "durationMs", cpu_ms as "cpuMs", memory_kb::pg_catalog.float8 as "memoryKb",
       is_cold_start as "isColdStart", caller, at
     from platform.edge_function_invocations
     where ${matches} order by edge_function_invocations.id desc limit $4`,
    [...valuesOf(filter), limit],
  );
}
