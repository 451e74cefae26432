import { pino, type Logger } from 'pino';
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

/** The log of the process on standard output: lines of JSON, or plain lines for a person at a terminal. */
export function openLog(level: LogLevel): Logger {
  if (!process.stdout.isTTY) return pino({ level, base: null });
  const terminal = { write: (line: string) => void process.stdout.write(plainLine(line)) };
  return pino({ level, base: null }, terminal);
}

function plainLine(line: string): string {
  const { level, time, msg, ...rest }: Record<string, unknown> = JSON.parse(line);
  const clock = new Date(Number(time)).toTimeString().slice(0, 8);
  const fields = Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`;
  return `${clock} ${levelNames[Number(level)] ?? 'info'} ${typeof msg === 'string' ? msg : ''}${fields}\n`;
}
