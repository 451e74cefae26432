// What the server of a trial has logged, over all its starts: it explains failures.
import type { RowhouseProcess } from '../start/rowhouse-process.js';

const shownLines = 3;
const shownOfLine = 200;
const shownOfStack = 12;

/** A line of the log. */
export type LogEntry = Readonly<Record<string, unknown>>;

export class ServerLog {
  readonly #started: RowhouseProcess[] = [];

  /** Follows a process from now on. */
  add(started: RowhouseProcess): void {
    this.#started.push(started);
  }

  /** The last lines of the process that was started last, each cut short. */
  tail(): string[] {
    const lines = (this.#started.at(-1)?.stdout() ?? '').trim().split('\n');
    return lines.slice(-shownLines).map((line) => line.slice(0, shownOfLine));
  }

  /** The first line with this text that `isWanted` accepts; undefined when there is none. */
  find(text: string, isWanted: (entry: LogEntry) => boolean = () => true): LogEntry | undefined {
    for (const line of this.#started.flatMap((each) => each.stdout().split('\n'))) {
      if (!line.startsWith('{') || !line.includes(text)) continue;
      const entry: LogEntry = Object(JSON.parse(line));
      if (isWanted(entry)) return entry;
    }
    return undefined;
  }

  /** What was logged about a request: its error with the first lines of the stack. Empty when there is nothing. */
  ofRequest(requestId: string): string {
    const entry = this.find(requestId);
    if (entry === undefined) return '';
    const { err }: { err?: { stack?: unknown } } = entry;
    return (typeof err?.stack === 'string' ? err.stack : JSON.stringify(entry))
      .split('\n')
      .slice(0, shownOfStack)
      .map((text) => text.trim())
      .join(' | ');
  }
}
