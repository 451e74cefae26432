import { pino, type DestinationStream, type Logger } from 'pino';
import { logRules } from '#libs/errors';

import type { LogLevel } from './env.js';

/** Levels of pino by their number. */
const levelNames: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/**
 * The log of the process: lines of JSON, or plain lines for a person at a terminal. They go to standard output
 * unless `target` is given.
 */
export function openLog(level: LogLevel, target: DestinationStream = standardOutput()): Logger {
  return pino({ level, base: null, ...logRules }, target);
}

function standardOutput(): DestinationStream {
  if (!process.stdout.isTTY) return pino.destination(1);
  return { write: (line: string) => void process.stdout.write(plainLine(line)) };
}

function plainLine(line: string): string {
  const { level, time, msg, ...rest }: Record<string, unknown> = JSON.parse(line);
  const clock = new Date(Number(time)).toTimeString().slice(0, 8);
  const fields = Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`;
  return `${clock} ${levelNames[Number(level)] ?? 'info'} ${typeof msg === 'string' ? msg : ''}${fields}\n`;
}
