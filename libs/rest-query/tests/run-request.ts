// Runs compiled requests on a real database, as the executor does, one statement after the other.
import type { Catalog } from '#libs/catalog';
import {
  createQueryCompiler,
  type Compiled,
  type RestInput,
  type StatementResult,
} from '#libs/rest-query';

interface Reply {
  readonly rows: readonly (readonly unknown[])[];
  readonly rowCount: number | null;
}

/** What a `pg` client offers. */
export interface Connection {
  query(query: {
    readonly text: string;
    readonly values?: (string | null)[];
    readonly rowMode: 'array';
  }): Promise<Reply>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export type RunRequest = (request: Partial<RestInput>) => Promise<Answer>;

/** A function that runs requests on `connection`; the table is `planets` unless a request names one. */
export function runnerOf(connection: Connection, catalog: Catalog, maxRows = 1000): RunRequest {
  const compiler = createQueryCompiler({ maxShapes: 100 });
  const send = (text: string, values: readonly (string | null)[] = []) =>
    connection.query({ text, values: [...values], rowMode: 'array' });
  return async (request) => {
    const input: RestInput = {
      method: 'GET',
      table: 'planets',
      queryString: '',
      headers: {},
      ...request,
    };
    const compiled = compiler.compile(catalog, { maxRows }, input);
    await send('begin');
    try {
      const answer = await runStatements(compiled, send);
      await send(compiled.shape.ending === 'rollback' ? 'rollback' : 'commit');
      return answer;
    } catch (error) {
      await send('rollback');
      throw error;
    }
  };
}

async function runStatements(
  { shape, statements }: Compiled,
  send: (text: string, values: readonly (string | null)[]) => Promise<Reply>,
): Promise<Answer> {
  const results: StatementResult[] = [];
  let rows: readonly string[] = [];
  for (const { text, values, gives } of statements) {
    const reply = await send(text, values);
    const texts = reply.rows.map((row) => asText(row[0]));
    if (gives === 'rows') rows = texts;
    results.push({
      count: reply.rowCount ?? 0,
      ...(gives === 'text' && { text: texts[0] }),
    });
  }
  const head = shape.respond(results);
  const { frame } = shape;
  return { ...head, body: frame && frame.open + rows.join(frame.separator) + frame.close };
}

// The client decodes the JSON of EXPLAIN; the executor takes every column as text.
function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
