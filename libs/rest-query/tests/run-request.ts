// Runs compiled requests on a real database, as the executor does, one statement after the other.
import type { Catalog } from '#libs/catalog';
import {
  createQueryCompiler,
  type Compiled,
  type Limits,
  type QueryCompiler,
  readBody,
  type RestInput,
  type StatementResult,
} from '#libs/rest-query';
import { finish } from '#libs/steps';
import type { ParameterValue } from '#libs/wire';

interface Reply {
  readonly rows: readonly (readonly unknown[])[];
  readonly rowCount: number | null;
}

/** The methods of a `pg` client. */
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

/**
 * A request, with its body as text, and its resource in short: a table, `planets` unless it is named, or a function.
 */
export interface Request extends Partial<Omit<RestInput, 'resource' | 'body'>> {
  readonly body?: string | undefined;
  readonly table?: string;
  readonly function?: string;
}

export type RunRequest = (request: Request) => Promise<Answer>;

export const LIMITS: Limits = { maxRows: 1000, functionSchemas: [], definerFunctions: [] };

export function inputOf({ table, function: name, body, ...rest }: Request): RestInput {
  return {
    method: 'GET',
    resource:
      name === undefined ? { kind: 'table', name: table ?? 'planets' } : { kind: 'function', name },
    queryString: '',
    headers: {},
    ...rest,
    ...(body !== undefined && { body: Buffer.from(body) }),
  };
}

/** The text of a value, which the client of the tests takes. */
export function valueText(value: ParameterValue): string | null {
  return value && typeof value === 'object' ? Buffer.concat(value).toString() : value;
}

type Send = (text: string, values?: readonly ParameterValue[]) => Promise<Reply>;

/** Compiles a request whose body is read at once. */
export function compileAtOnce(
  compiler: QueryCompiler,
  catalog: Catalog,
  limits: Limits,
  input: RestInput,
): Compiled {
  return compiler.compile(catalog, limits, input, finish(readBody(input)));
}

/** A function that runs requests on `connection`. */
export function runnerOf(connection: Connection, catalog: Catalog, limits = LIMITS): RunRequest {
  const compiler = createQueryCompiler({ maxShapes: 100 });
  const send: Send = (text, values = []) =>
    connection.query({ text, values: values.map(valueText), rowMode: 'array' });
  return async (request) => {
    const compiled = compileAtOnce(compiler, catalog, limits, inputOf(request));
    await send(compiled.shape.isWrite ? 'begin' : 'begin read only');
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

async function runStatements({ shape, statements, offset }: Compiled, send: Send): Promise<Answer> {
  const results: StatementResult[] = [];
  let rows: readonly string[] = [];
  for (const { text, values, gives } of statements) {
    const reply = await send(text, values);
    const texts = reply.rows.map((row) => asText(row[0]));
    if (gives === 'rows') rows = texts;
    if (gives === 'total-and-rows') rows = texts.slice(1);
    results.push(resultOf(gives, reply));
  }
  const head = shape.respond(results, { offset });
  const { frame } = shape;
  return { ...head, body: frame && frame.open + rows.join(frame.separator) + frame.close };
}

function resultOf(gives: Compiled['statements'][number]['gives'], reply: Reply): StatementResult {
  const count = reply.rowCount ?? 0;
  const [first = []] = reply.rows;
  switch (gives) {
    case 'text':
      return { count, text: asText(first[0] ?? '') };
    case 'total-and-rows':
      return { count: count - 1, text: asText(first[0]) };
    case 'settings':
      return { count, texts: first.map((value) => (value === null ? null : asText(value))) };
    case 'rows':
    case 'nothing':
      return { count };
  }
}

// The client decodes the JSON of EXPLAIN; the executor takes every column as text.
function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
