// The last runs of this tab of the browser. The audit log has all runs, but shortened, with secrets masked, and to be
// read by operators with another capability.
import { parseJson } from '../../api/json.js';

/** One run and how it ended. */
export interface PastRun {
  readonly id: string;
  readonly at: string;
  readonly sql: string;
  readonly as: string;
  readonly outcome: 'done' | 'failed' | 'cancelled';
  readonly ms: number;
}

const maxRuns = 100;
/** Longer texts would fill the session storage. */
const maxLength = 20_000;

export function addRun(runs: readonly PastRun[], run: PastRun): readonly PastRun[] {
  return run.sql.length > maxLength ? runs : [run, ...runs].slice(0, maxRuns);
}

export function readRuns(text: string | null): readonly PastRun[] {
  const value = text === null ? undefined : parseJson(text);
  return Array.isArray(value) ? value.filter(isRun) : [];
}

function isRun(value: unknown): value is PastRun {
  if (typeof value !== 'object' || value === null) return false;
  return 'id' in value && 'at' in value && 'sql' in value && typeof value.sql === 'string';
}
