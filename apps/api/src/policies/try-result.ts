// What a try has found, as it is answered.
import type { DatabaseRole } from '#libs/wire';

import type { PolicyCommand } from './policy-change.js';

/** How a policy has evaluated one row. */
export interface PolicyVerdict {
  readonly policy: string;
  readonly command: PolicyCommand;
  readonly clause: 'using' | 'check';
  readonly isPermissive: boolean;
  readonly result: 'true' | 'false' | 'null' | 'error';
  /** The error that the expression has raised. */
  readonly message: string | null;
}

/** Why policies refuse a row. */
export type RowDecision =
  /** No permissive policy for this command applies to the role. */
  | { readonly kind: 'no-policy'; readonly command: RowCommand; readonly clause: 'using' | 'check' }
  /** There are some, and none of them was true. */
  | {
      readonly kind: 'no-permissive';
      readonly command: RowCommand;
      readonly clause: 'using' | 'check';
      readonly policies: readonly string[];
    }
  | {
      readonly kind: 'restrictive';
      readonly command: RowCommand;
      readonly clause: 'using' | 'check';
      readonly policy: string;
    }
  | {
      readonly kind: 'error';
      readonly command: RowCommand;
      readonly clause: 'using' | 'check';
      readonly policy: string;
      readonly message: string;
    };

export type RowCommand = 'select' | 'insert' | 'update' | 'delete';

/** A row that policies refuse, with the decision. */
export interface RefusedRow {
  readonly row: unknown;
  readonly decision: RowDecision;
  readonly verdicts: readonly PolicyVerdict[];
}

/** A policy that applies to the role for one of the commands of the request. */
export interface AppliedPolicy {
  readonly name: string;
  readonly command: PolicyCommand;
  readonly isPermissive: boolean;
  readonly roles: readonly string[];
  readonly using: string | null;
  readonly check: string | null;
}

/** The answer that the caller would have got. */
export type TryOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** JSON of the answer; null without a body. */
      readonly body: unknown;
    }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: string;
      readonly message: string;
      readonly details: unknown;
      readonly hint: string | null;
    };

/** The table, as far as it decides. */
export interface TriedTableFacts {
  readonly schema: string;
  readonly name: string;
  readonly hasRls: boolean;
  /** False for a role that bypasses policies, and for a table without row level security. */
  readonly isSecured: boolean;
  /** Rights of the role on the table or some of its columns. */
  readonly grants: readonly string[];
}

/** Rows that exist and that the request does not reach. */
export interface HiddenRows {
  /** Null where rows cannot be counted: without a primary key, or with a limit of the request itself. */
  readonly count: number | null;
  /** There are more rows than were compared. */
  readonly isBounded: boolean;
  readonly rows: readonly RefusedRow[];
}

export interface TryResult {
  /** The claims are null for an operator who may not see accounts. */
  readonly caller: { readonly role: DatabaseRole; readonly claims: unknown };
  readonly outcome: TryOutcome;
  /** Rows read or written; null when refused. */
  readonly count: number | null;
  /** Primary keys of the rows that the caller sees, at most 1,000; null where the table has none. */
  readonly keys: readonly unknown[] | null;
  readonly table: TriedTableFacts | null;
  readonly policies: readonly AppliedPolicy[];
  /** Null where nothing can be hidden: inserts, functions, roles that bypass policies. */
  readonly hidden: HiddenRows | null;
  /** New rows that a check refuses. */
  readonly refusedRows: readonly RefusedRow[];
  readonly durationMs: number;
}

/** The part of a result that depends on the kind of the request. */
export type Found = Omit<TryResult, 'caller' | 'durationMs'>;
