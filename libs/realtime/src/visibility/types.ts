// The question which callers see which changes, and its answer.

import type { DatabaseRole } from '#libs/wire';
import type { Change } from '../feed/lines.js';
import type { ChangeFilter } from '#libs/realtime-core';

/** Callers with the same answer from the policies of a table. */
export interface Audience {
  /** JSON, the value of `request.jwt.claims`. */
  readonly claims: string;
  /** The value of `request.jwt.claim.sub`; empty for a signed-out caller. */
  readonly subject: string;
}

/** Changes of one table, and who listens to it with one role. */
export interface Question {
  /** The oid of the table. */
  readonly table: number;
  readonly role: DatabaseRole;
  readonly changes: readonly Change[];
  readonly audiences: readonly Audience[];
  readonly filters: readonly ChangeFilter[];
  /**
   * By filter the indexes of the audiences that ask with it. It is evaluated on the rows that they may see, and on no
   * others. Absent: filters are evaluated on all rows.
   */
  readonly listeners?: readonly (readonly number[])[];
}

/** A `1` for each change that is visible or matches, else `0`, in the order of the changes. */
export type Bits = string;

/** Why a policy or a filter gave no answer. */
export interface EvaluationError {
  readonly code: string;
  /** May contain what the policy wrote into it: for logs. */
  readonly message: string;
}

export interface Verdict {
  /** What the table is called now; undefined if it is gone. */
  readonly table: { readonly schema: string; readonly name: string } | undefined;
  /** A lock has kept the database from an answer: nothing is visible, and the same question has one later. */
  readonly isLocked: boolean;
  /**
   * Some changes cannot be decided, for any audience: the table is gone or changes all the time, or their rows are older
   * than a column that policies of the role read, or have been cut to their keys.
   */
  readonly hasGap: boolean;
  /** By audience: whether the row after the change is visible. Equal ones are the same text. */
  readonly newVisible: readonly Bits[];
  /** By audience: whether the row before the change is visible. */
  readonly oldVisible: readonly Bits[];
  /**
   * By filter: whether the row after the change matches, or the row before it where there is no other. `0` for rows that
   * no listener of the filter may see.
   */
  readonly filterMatches: readonly Bits[];
  /** By change: the row as JSON with the columns that the role may read. */
  readonly newTexts: readonly (string | null)[];
  readonly oldTexts: readonly (string | null)[];
  /** By index of the audience. Nothing is visible to these. */
  readonly errors: ReadonlyMap<number, EvaluationError>;
  /** By index of the filter its first error. */
  readonly filterErrors: ReadonlyMap<number, EvaluationError>;
  /** By index of the filter, and of the listener that may see the row on which it failed. Nothing matches these. */
  readonly listenerErrors: ReadonlyMap<number, ReadonlyMap<number, EvaluationError>>;
}
