// The log of the inspector: what listeners have received, the newest first, how it is filtered and saved.
import type { ShownKind } from './words.js';

/** When something happened; milliseconds since 1970, by the clock of the server. */
export interface Times {
  /** The row was written; undefined for everything but changes of rows. */
  readonly writtenAt?: number;
  readonly sentAt: number;
  readonly arrivedAt: number;
}

export interface LogEntry {
  /** Grows with each entry. */
  readonly seq: number;
  readonly kind: ShownKind;
  /** Whether it is a refusal or the end of a channel. */
  readonly isBad: boolean;
  /** The id of the listener, and how it is shown. */
  readonly listener: number;
  readonly topic: string;
  readonly who: string;
  readonly title: string;
  /** One line. */
  readonly preview: string;
  /** What has arrived. */
  readonly content: unknown;
  readonly times: Times;
}

/** Entries that are kept. */
export const maxEntries = 5_000;

export interface LogFilter {
  readonly text: string;
  readonly kind: ShownKind | undefined;
  readonly listener: number | undefined;
}

export function filterLog(
  entries: readonly LogEntry[],
  { text, kind, listener }: LogFilter,
): readonly LogEntry[] {
  const wanted = text.trim().toLowerCase();
  return entries.filter(
    (entry) =>
      (kind === undefined || entry.kind === kind) &&
      (listener === undefined || entry.listener === listener) &&
      (wanted === '' ||
        `${entry.topic} ${entry.who} ${entry.title} ${entry.preview}`
          .toLowerCase()
          .includes(wanted)),
  );
}

/** From writing the row to its arrival, in milliseconds; undefined for everything but changes of rows. */
export function latencyOf({ writtenAt, arrivedAt }: Times): number | undefined {
  return writtenAt === undefined ? undefined : Math.max(0, Math.round(arrivedAt - writtenAt));
}

/** The file of the log: the oldest entry first. */
export function logFile(entries: readonly LogEntry[]): string {
  const rows = entries.toReversed().map(({ kind, topic, who, title, content, times }) => ({
    at: iso(times.arrivedAt),
    kind,
    topic,
    as: who,
    title,
    ...(times.writtenAt !== undefined && {
      writtenAt: iso(times.writtenAt),
      latencyMs: latencyOf(times),
    }),
    sentAt: iso(times.sentAt),
    content,
  }));
  return `${JSON.stringify(rows, null, 2)}\n`;
}

const iso = (ms: number): string => new Date(ms).toISOString();
