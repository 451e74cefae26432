// What the library needs of its surroundings; the runtime of a project provides it.

import type { DatabaseRole } from '#libs/wire';

export interface Query {
  readonly text: string;
  /** In text format. */
  readonly values: readonly (string | null)[];
}

/** The part of a project's database that this library uses. */
export interface RealtimeDatabase {
  queryAsEngine<Row extends object>(
    text: string,
    values?: readonly unknown[],
  ): Promise<readonly Row[]>;
  /** The rows of queries in one transaction that cannot write, as a role of the project. */
  runAsRole(
    role: DatabaseRole,
    queries: readonly Query[],
    limits?: { readonly statementMs?: number; readonly lockMs?: number },
  ): Promise<readonly (readonly (readonly (string | null)[])[])[]>;
}

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Milliseconds; never goes back. */
  now(): number;
  setTimer(ms: number, work: () => void): Timer;
}
