// The filtered rows as a file. The API answers at most 1,000 rows, so a file is made of several answers; their texts are
// put together as the database wrote them.
import { contentOf, type Format } from './export-content.js';
import { encodeQuery, queryOf, quotedName, type RowsQuery } from './filters.js';
import { sendRead, type Viewer } from './requests.js';

interface ExportOptions {
  readonly ref: string;
  readonly table: string;
  readonly query: RowsQuery;
  readonly viewer: Viewer;
  readonly format: Format;
  readonly signal: AbortSignal;
  readonly onProgress: (rows: number) => void;
}

const partRows = 1_000;

/** The parts of the file in their order. Throws Problem. */
export async function exportRows(options: ExportOptions): Promise<readonly string[]> {
  const { format, onProgress } = options;
  const parts: string[] = [];
  let count = 0;
  for (;;) {
    // Each part begins where the one before has ended.
    const { text, rows } = await readPart(options, count);
    const content = contentOf(format, text, parts.length === 0);
    if (rows > 0) parts.push(format === 'json' && parts.length > 0 ? `,\n${content}` : content);
    else if (parts.length === 0) parts.push(content);
    count += rows;
    onProgress(count);
    if (rows === 0) return format === 'json' ? ['[', ...parts, ']\n'] : parts;
  }
}

async function readPart(
  { ref, table, query, viewer, format, signal }: ExportOptions,
  offset: number,
): Promise<{ readonly text: string; readonly rows: number }> {
  const accept = format === 'json' ? 'application/json' : 'text/csv';
  const window = { offset, limit: partRows };
  const parameters = format === 'json' ? uncastQuery(query, window) : queryOf(query, window);
  const response = await sendRead({ ref, table, viewer, signal, query: parameters }, { accept });
  const text = await response.text();
  return { text, rows: rowsIn(response.headers.get('content-range')) };
}

/** The number of rows of an answer by its header: `0-999/*`, and `*` for none. */
function rowsIn(range: string | null): number {
  const [, first, last] = /^(\d+)-(\d+)\//.exec(range ?? '') ?? [];
  return first === undefined || last === undefined ? 0 : Number(last) - Number(first) + 1;
}

/** JSON keeps numbers and objects: its text is copied and never read. */
function uncastQuery(
  query: RowsQuery,
  window: { readonly offset: number; readonly limit: number },
): string {
  return queryOf(query, window).replace(
    /^select=[^&]*/,
    encodeQuery([['select', query.columns.map((name) => quotedName(name)).join(',')]]),
  );
}
