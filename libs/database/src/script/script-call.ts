// What a script is run with.

import type { ReplyOwner } from '../replies/kept-reply.js';
import type { SqlScript } from './read-script.js';
import type { ScriptCaller } from './send-statements.js';

/** The login of a script; a caller means the editor's, with the role and the claims of the caller. */
export type ScriptLogin = 'owner' | 'editor' | ScriptCaller;

/** The client that waits for the work. */
export interface Requester {
  /** Its abort ends the work, also while that waits for a connection. */
  readonly signal?: AbortSignal | undefined;
  /** The rows of the answer are counted until it ends; absent: until the work ends. */
  readonly owner?: ReplyOwner | undefined;
}

export interface ScriptLimits {
  readonly timeoutMs?: number;
  /** The most rows of each statement; only for separate answers of statements. */
  readonly maxRows?: number | undefined;
  /** The maximum size of the answer; default `maxResultBytes` of `script/result-limit.ts`. */
  readonly maxBytes?: number;
}

export interface ScriptCall extends Requester {
  readonly script: SqlScript;
  /** An empty list is the same as absent. */
  readonly params?: readonly unknown[] | undefined;
  readonly limits?: ScriptLimits | undefined;
  /** Whether everything is undone at the end. */
  readonly isDryRun?: boolean | undefined;
}
