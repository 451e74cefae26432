// Sends the statements of a script one by one in one transaction. PostgreSQL refuses a text that is several statements
// there, the time of each is known, and rows behind the limit are not fetched.

import { type Client, Query, type QueryConfig } from 'pg';
import type { DatabaseRole } from '#libs/wire';
import type { SqlScript } from './read-script.js';
import type { ScriptNotice, StatementResult, TextRows } from './script-result.js';
import { scriptTypes } from './script-values.js';

/** Whose claims policies see; the role is that of the connection. */
export interface ScriptCaller {
  readonly role: DatabaseRole;
  /** Text of a JSON object. */
  readonly claims: string;
  /** The subject of the claims; empty without one. */
  readonly subject: string;
}

export interface StatementsRun {
  readonly script: SqlScript;
  /** Values of the only statement; empty for several. */
  readonly params: readonly unknown[];
  readonly caller?: ScriptCaller | undefined;
  /** The most rows of a statement that are fetched; absent: all. */
  readonly maxRows?: number | undefined;
  /** Whether everything is undone at the end. */
  readonly isDryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How many statements of a script have ended. */
export interface Progress {
  ended: number;
}

/**
 * Even without values: the simple protocol would accept several statements. The types of pg do not contain `queryMode`
 * and `rows`.
 */
const extended = { rowMode: 'array', types: scriptTypes, queryMode: 'extended' } as const;
/** As the lookup of a request sets them. */
const setClaims = `select pg_catalog.set_config('request.jwt.claims', $1, true),
  pg_catalog.set_config('request.jwt.claim.sub', $2, true)`;
/** Connections are opened without notices, because requests do not use them. */
const showNotices = `select pg_catalog.set_config('client_min_messages', 'notice', false)`;

/** The most notices of a script that are kept, and the most characters of each. */
const maxNotices = 100;
const maxNoticeLength = 2_000;

/** Returns the result of each statement. A failure leaves the rest unsent; the connection has to be closed. */
export async function sendStatements(
  client: Client,
  run: StatementsRun,
  progress: Progress,
): Promise<readonly StatementResult[]> {
  const { script, params, caller } = run;
  const notices = keepNotices(client);
  await client.query(showNotices);
  await client.query('begin');
  if (caller) await client.query(setClaims, [caller.claims, caller.subject]);
  const results: StatementResult[] = [];
  for (const { text, word } of params.length > 0 ? wholeOf(script) : partsOf(script)) {
    // A cancel request reaches a statement alone, not the time between two.
    run.signal?.throwIfAborted();
    const sentAt = performance.now();
    // In order: each sees the effects of the one before it.
    const sent = await sendOne(client, run, text);
    const durationMs = Math.round((performance.now() - sentAt) * 10) / 10;
    const command = sent.rows.command ?? word.toUpperCase();
    results.push({ ...sent, command, durationMs, notices: notices.splice(0) });
    progress.ended++;
  }
  run.signal?.throwIfAborted();
  await client.query(run.isDryRun ? 'rollback' : 'commit');
  return results;
}

interface StatementText {
  readonly text: string;
  /** The first word. */
  readonly word: string;
}

const partsOf = ({ text, statements }: SqlScript): readonly StatementText[] =>
  statements.map(({ start, end, words: [word = ''] }) => ({ text: text.slice(start, end), word }));

/** Values belong to one statement: PostgreSQL refuses a text that is several. */
const wholeOf = ({ text, statements: [first] }: SqlScript): readonly StatementText[] => [
  { text, word: first?.words[0] ?? '' },
];

async function sendOne(
  client: Client,
  { params, maxRows }: StatementsRun,
  text: string,
): Promise<{ readonly rows: TextRows; readonly isCut: boolean }> {
  const query = { ...extended, text, values: [...params] };
  if (maxRows === undefined) {
    return { rows: await client.query<(string | null)[]>(query), isCut: false };
  }
  // PostgreSQL does not say whether rows follow those at the limit, so one more is fetched.
  const limited = new LimitedQuery({ ...query, portal, rows: maxRows + 1 });
  const rows = await new Promise<TextRows>((resolve, reject) => {
    limited.callback = (error, result) => (error ? reject(error) : resolve(result));
    client.query(limited);
  });
  if (limited.isSuspended) await endPortal(client);
  // An open portal would keep the next statement from altering its tables.
  await client.query(`close ${portal}`);
  const isCut = rows.rows.length > maxRows;
  if (isCut) rows.rows.length = maxRows;
  return { rows, isCut };
}

const portal = 'rowhouse_rows';

/** What pg passes to its queries; its types leave it out. */
interface QueryConnection {
  sync(): void;
}

/** Leaves the portal at the limit instead of asking for the next rows, as the class of pg does. */
class LimitedQuery extends Query {
  isSuspended = false;
  /** Set by `sendOne`. */
  callback: ((error: Error | null, result: TextRows) => void) | undefined;

  constructor(config: QueryConfig & { readonly rows: number; readonly portal: string }) {
    super(config);
  }

  handlePortalSuspended(connection: QueryConnection): void {
    this.isSuspended = true;
    connection.sync();
  }
}

const hasWritten = 'select pg_catalog.pg_current_xact_id_if_assigned() is not null as "hasWritten"';

/**
 * Ends a statement at the limit of its rows. After writes it runs to its end, because functions in `select` write too:
 * they would have been called for some of the rows.
 */
async function endPortal(client: Client): Promise<void> {
  const { rows } = await client.query<{ hasWritten: boolean }>(hasWritten);
  if (rows[0]?.hasWritten !== false) await client.query(`move forward all in ${portal}`);
}

/** The notices since the last look; the caller takes them out. They end with the connection. */
function keepNotices(client: Client): ScriptNotice[] {
  const waiting: ScriptNotice[] = [];
  let count = 0;
  client.on('notice', ({ severity = 'NOTICE', message = '', hint, detail }) => {
    count++;
    if (count > maxNotices) return;
    const text = [message, detail, hint].filter((part) => part !== undefined).join(' ');
    waiting.push({ severity, message: text.slice(0, maxNoticeLength) });
  });
  return waiting;
}
