// A case: the same work for every target, as each takes the request, and how a right answer is recognized.

export const CASE_NAMES = [
  'single',
  'list20',
  'list1000',
  'embed',
  'nested',
  'count',
  'rpc-get',
  'rpc-post',
  'insert',
  'bulk',
  'upsert',
  'batch',
] as const;
export type CaseName = (typeof CASE_NAMES)[number];

/** The work of the authentication routes; see auth/works.ts. */
export const AUTH_WORKS = ['sign-in', 'get-session'] as const;
export type AuthWork = (typeof AUTH_WORKS)[number];

/** What is done with files and images; see storage/demands.ts. */
export const STORAGE_WORKS = [
  'download',
  'upload',
  'upload-form',
  'small-get',
  'small-put',
  'reserve',
  'image-made',
  'image-cached',
  'webhook',
  'large-upload',
  'large-download',
] as const;
export type StorageWork = (typeof STORAGE_WORKS)[number];

/** What is done with changes, messages and connections; see realtime/demands.ts. */
export const REALTIME_WORKS = [
  'connect',
  'join',
  'row-to-all',
  'message-to-all',
  'row-insert',
  'row-insert-quiet',
  'row-insert-crowd',
  'rows-insert',
  'rows-insert-quiet',
  'decide-shared',
  'decide-many-shared',
  'decide-simple',
  'decide-many-simple',
  'topic-rights',
  'fan-out',
  'burst',
  'ingest',
  'deactivate',
  'resume',
  'neighbor',
  'neighbor-storm',
  'storm',
  'api-write',
  'sql-write',
  'sql-write-calm',
  'sql-write-cold',
] as const;
export type RealtimeWork = (typeof REALTIME_WORKS)[number];

/** What is done with edge functions; see functions/demands.ts. */
export const FUNCTION_WORKS = [
  'function-call',
  'function-cold',
  'function-first-byte',
  'function-idle',
] as const;
export type FunctionWork = (typeof FUNCTION_WORKS)[number];

/**
 * The ways in which the statements reach the database without the product: in one round trip, in one
 * round trip each, and in one with claims that are asserted rather than looked up.
 */
export type BaselineName = 'baseline' | 'baseline-serial' | 'baseline-claims';

/** A request without host and bearer token. */
export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** How often a pattern occurs in a right answer, whatever shape a target gives to its answers. */
export interface Evidence {
  readonly pattern: RegExp;
  readonly times: number;
}

export interface BenchCase {
  readonly name: CaseName;
  readonly title: string;
  readonly isRead: boolean;
  /** Rows that are there afterwards and were not before. */
  readonly rowsWritten: number;
  /** Of body and Content-Range together; measured with key 1. */
  readonly evidence: readonly Evidence[];
  /** What the baselines run. `:n` is a number from 1 to `keys`, `:body` the text of `body`. */
  readonly statements: readonly string[];
  readonly body?: string;
  readonly keys: number;
  readonly baselines: readonly BaselineName[];
  /** Whether the product is measured with many connections, too. */
  readonly isCrowded: boolean;
  productCall(key: number): HttpCall;
}
