// The output of a function as lines of its log. The bootstrap writes JSON; all other lines are what the code or Deno
// has written itself. Nothing in them is trusted: a function can write what it likes.
import type { Readable } from 'node:stream';

import { isRecord, parseJson } from '#libs/wire';

import type { FunctionLogLine } from './types.js';

type Level = FunctionLogLine['level'];

export type OutputLine =
  | {
      readonly kind: 'log';
      readonly level: Level;
      readonly message: string;
      readonly requestId?: string;
      readonly at: Date;
    }
  /** The code has been loaded and can answer. */
  | { readonly kind: 'ready' }
  /** How many promises of `EdgeRuntime.waitUntil` are not settled. */
  | { readonly kind: 'pending'; readonly count: number };

const levels: ReadonlySet<unknown> = new Set<Level>(['debug', 'info', 'log', 'warn', 'error']);
const maxMessage = 10_000;
const maxRequestId = 100;
/** A message of 10,000 characters, each escaped. */
const maxLine = 64 * 1024;
/** What is read in a second; beyond it the function waits with its next line. */
const maxBytesPerSecond = 1024 * 1024;
const maxLinesPerSecond = 1_000;

/** Calls `onLine` with the lines of a stream; the end of a line that is too long is left out. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  let bytes = 0;
  let lines = 0;
  let resume: NodeJS.Timeout | undefined;
  const slowDown = () => {
    stream.pause();
    resume ??= setTimeout(() => {
      resume = undefined;
      bytes = 0;
      lines = 0;
      stream.resume();
    }, 1000).unref();
  };
  stream.setEncoding('utf8').on('data', (text: string) => {
    bytes += text.length;
    const parts = (rest + text).split('\n');
    rest = (parts.pop() ?? '').slice(0, maxLine);
    lines += parts.length;
    for (const part of parts) if (part !== '') onLine(part.slice(0, maxLine));
    if (bytes > maxBytesPerSecond || lines > maxLinesPerSecond) slowDown();
  });
  stream.once('end', () => {
    if (rest !== '') onLine(rest);
  });
}

/** Reads a line of standard output. `now` is the time in milliseconds. */
export function parseOutput(line: string, now: number): OutputLine {
  const value = line.startsWith('{') ? parseJson(line) : undefined;
  if (isRecord(value)) {
    if (value['rowhouse'] === 'ready') return { kind: 'ready' };
    const count = value['pending'];
    if (typeof count === 'number' && count >= 0) return { kind: 'pending', count };
    const { level, message, at, requestId } = value;
    if (isLevel(level) && typeof message === 'string') {
      const isTime = typeof at === 'number' && Number.isSafeInteger(at) && at > 0;
      return {
        kind: 'log',
        level,
        message: message.slice(0, maxMessage),
        ...(isRequestId(requestId) && { requestId }),
        at: new Date(isTime ? Math.min(at, now) : now),
      };
    }
  }
  return plainLine(line, 'log', now);
}

/** A line that was not written by the bootstrap. */
export function plainLine(line: string, level: Level, now: number): OutputLine & { kind: 'log' } {
  return {
    kind: 'log',
    level,
    message: withoutColors(line).slice(0, maxMessage),
    at: new Date(now),
  };
}

/** Removes the escape sequences with which terminals are colored. */
export function withoutColors(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the sequences begin with a control character
  return text.replaceAll(/\u001b\[[0-9;]*[A-Za-z]/g, '');
}

function isLevel(value: unknown): value is Level {
  return levels.has(value);
}

function isRequestId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxRequestId;
}
