// Requests on the rows of a table. All values are texts as PostgreSQL writes them: JSON would lose digits of numbers.
import { parseJson } from '../../api/json.js';
import { projectPath } from '../../api/place.js';
import { problemOf } from '../../api/problem.js';
import { sendPlain } from '../../api/client.js';
import type { Cell, RowTexts } from './staging.js';

/** Whose rights a read has: those of the operator, or of a visitor or a user (its id). */
export type Viewer = string | undefined;

interface ReadRequest {
  readonly ref: string;
  readonly table: string;
  /** Without the question mark. */
  readonly query: string;
  readonly viewer: Viewer;
  readonly signal?: AbortSignal;
}

/** The path of the rows of a table, as the console forwards it. */
export function rowsPath({
  ref,
  table,
  query,
}: Pick<ReadRequest, 'ref' | 'table' | 'query'>): string {
  const base = `${projectPath(ref)}/api/rest/v1/${encodeURIComponent(table)}`;
  return query === '' ? base : `${base}?${query}`;
}

/** The headers of a read besides the token. */
function readHeaders(viewer: Viewer): Readonly<Record<string, string>> {
  return viewer === undefined ? {} : { 'x-service-impersonate': viewer };
}

/** The response to a read. Throws Problem for an error. */
export async function sendRead(
  request: ReadRequest,
  headers: Readonly<Record<string, string>> = {},
  method: 'GET' | 'HEAD' = 'GET',
): Promise<Response> {
  const response = await sendPlain(rowsPath(request), {
    method,
    headers: { ...readHeaders(request.viewer), ...headers },
    ...(request.signal && { signal: request.signal }),
  });
  if (!response.ok) throw problemOf(response, await readJson(response));
  return response;
}

/** The rows of a read whose columns are all texts. */
export async function readRows(request: ReadRequest): Promise<readonly RowTexts[]> {
  const response = await sendRead(request, { accept: 'application/json' });
  const rows: unknown = await response.json();
  return Array.isArray(rows) ? rows.map(asTexts) : [];
}

function asTexts(row: unknown): RowTexts {
  return Object.fromEntries(
    Object.entries(Object(row)).map(([name, value]): [string, Cell] => [
      name,
      typeof value === 'string' ? value : null,
    ]),
  );
}

/** The number of rows that match; undefined if the server does not say it. */
export async function countRows(
  request: ReadRequest,
  count: 'exact' | 'estimated',
): Promise<number | undefined> {
  const response = await sendRead(request, { prefer: `count=${count}` }, 'HEAD');
  const total = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1]);
  return Number.isFinite(total) ? total : undefined;
}

/** The JSON of a response; undefined if it is none. */
export async function readJson(response: Response): Promise<unknown> {
  return parseJson(await response.text());
}
