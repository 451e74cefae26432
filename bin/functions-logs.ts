// The log of functions: what is stored, and what is written meanwhile.
import { isRecord, type JsonRecord, parseJson } from '#libs/wire';
import type { ProjectAccess, ProjectSurroundings } from './project-command.js';
import { streamProject } from './request-project.js';
import { jsonLine, linesText } from './terminal-lines.js';

/** Lines of a stored or streamed entry; further lines of its message are indented. */
export function linesOf({
  at,
  function: name,
  slug,
  level,
  message,
}: JsonRecord): readonly string[] {
  const head = [at, String(level).padEnd(5), name ?? slug].map(String).join('  ');
  const [first = '', ...others] = String(message).trimEnd().split(/\r?\n/);
  return [`${head}  ${first}`, ...others.map((line) => `    ${line}`)];
}

/** Which lines are printed, and how. */
export interface LogFilter {
  readonly function?: string;
  readonly level?: string;
}

/** Returns the filter as query parameters. */
export const queryOf = (filter: LogFilter & { readonly limit?: string }): string =>
  String(new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== undefined)));

/**
 * Prints lines as they are written until the signal aborts. The project ends each stream after a while: the next one
 * begins then. Throws CommandError.
 */
export async function followLogs(
  { url, secretKey }: ProjectAccess,
  filter: LogFilter,
  isJson: boolean,
  to: ProjectSurroundings,
): Promise<void> {
  const asked = {
    path: `api/admin/functions/logs/stream?${queryOf(filter)}`,
    secretKey,
    accept: 'text/event-stream',
    what: 'logs',
  };
  while (!to.signal.aborted) {
    // Stream after stream: each has what follows the one before.
    for await (const entry of entriesOf(streamProject(url, asked, to.signal))) {
      to.print(isJson ? jsonLine(entry) : linesText(...linesOf(entry)));
    }
  }
}

/** The log entries in a stream of server-sent events (WHATWG HTML section 9.2). */
async function* entriesOf(parts: AsyncIterable<string>): AsyncGenerator<JsonRecord> {
  let rest = '';
  for await (const part of parts) {
    const blocks = (rest + part).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = /^data: ?(.*)$/m.exec(block)?.[1];
      const entry = data === undefined ? undefined : parseJson(data);
      if (isRecord(entry) && 'message' in entry) yield entry;
    }
  }
}
