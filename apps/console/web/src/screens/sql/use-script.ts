// Runs scripts, one at a time for each tab, and keeps how the last one of each has ended.
import { useRef, useState } from 'react';

import { asProblem } from '../../api/problem.js';
import { newUuid } from '../../api/uuid.js';
import { errorRange, type Range } from './error-place.js';
import { cancelScript, type RunAs, runScript } from './queries.js';
import type { StatementResult } from './result.js';

/** What became of a run. */
export type Outcome = { readonly kind: 'running'; readonly runId: string } | Ended;

/** How a run has ended. */
export type Ended =
  | {
      readonly kind: 'done';
      readonly runId: string;
      readonly results: readonly StatementResult[];
      readonly ms: number;
      readonly as: string;
    }
  | {
      readonly kind: 'failed';
      readonly error: unknown;
      readonly place: Range | undefined;
      /** The text of the tab in which the place is. */
      readonly text: string;
    }
  | { readonly kind: 'cancelled' };

export interface Script {
  readonly tabId: string;
  readonly query: string;
  /** The text of the tab. */
  readonly text: string;
  /** Where the query begins in it. */
  readonly from: number;
  readonly as: RunAs | undefined;
  /** Whom it runs as, in words. */
  readonly asName: string;
  readonly maxRows: number;
  readonly dryRun: boolean;
}

interface Running {
  readonly runId: string;
  readonly leaving: AbortController;
  isCancelled: boolean;
}

interface Scripts {
  readonly outcomes: Readonly<Record<string, Outcome>>;
  readonly run: (script: Script) => void;
  readonly cancel: (tabId: string) => void;
  /** A tab has another id: that of the query that it was saved as. */
  readonly move: (from: string, to: string) => void;
}

/** `onEnd` is called with the outcome of each run. */
export function useScripts(
  ref: string,
  onEnd: (script: Script, outcome: Ended, ms: number) => void,
): Scripts {
  const [outcomes, setOutcomes] = useState<Readonly<Record<string, Outcome>>>({});
  const running = useRef<Record<string, Running | undefined>>({});
  const show = (tabId: string, outcome: Outcome): void =>
    setOutcomes((before) => ({ ...before, [tabId]: outcome }));
  const run = async (script: Script): Promise<void> => {
    const { tabId, query, from, as, maxRows, dryRun } = script;
    if (running.current[tabId]) return;
    const mine: Running = {
      runId: newUuid(),
      leaving: new AbortController(),
      isCancelled: false,
    };
    running.current[tabId] = mine;
    show(tabId, { kind: 'running', runId: mine.runId });
    const startedAt = performance.now();
    let outcome: Ended;
    try {
      const sent = { id: mine.runId, query, as, maxRows, dryRun };
      const results = await runScript(ref, sent, mine.leaving.signal);
      const ms = Math.round(performance.now() - startedAt);
      outcome = { kind: 'done', runId: mine.runId, results, ms, as: script.asName };
    } catch (error) {
      const isCancelled = mine.isCancelled || asProblem(error).code === 'SQL_CANCELLED';
      outcome = isCancelled
        ? { kind: 'cancelled' }
        : { kind: 'failed', error, place: errorRange(error, query, from), text: script.text };
    }
    running.current[tabId] = undefined;
    show(tabId, outcome);
    onEnd(script, outcome, Math.round(performance.now() - startedAt));
  };
  const cancel = (tabId: string): void => {
    const mine = running.current[tabId];
    if (!mine) return;
    mine.isCancelled = true;
    // The end of the request cancels the script too, in whichever process it runs.
    cancelScript(ref, mine.runId).catch(() => mine.leaving.abort());
  };
  return {
    outcomes,
    run: (script) => void run(script),
    cancel,
    move: (from, to) =>
      setOutcomes(({ [from]: moved, ...others }) => (moved ? { ...others, [to]: moved } : others)),
  };
}
