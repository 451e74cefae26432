import type { QueryArrayResult } from 'pg';
import type { Steps } from '#libs/steps';
import { JsonWriter, writeArray, writeValue } from './json-writer.js';
import { isArrayType, kindOf, typeName, type ValueKind } from './script-values.js';

export interface ScriptField {
  readonly name: string;
  readonly type: string;
}

export interface ScriptResult {
  /** From the last statement that returns rows; values in the form for JSON. */
  readonly rows: Record<string, unknown>[];
  readonly fields: ScriptField[];
  /** Rows returned or written by that statement; by the last statement if none returns rows. */
  readonly rowCount: number;
  readonly durationMs: number;
}

export interface ScriptNotice {
  /** `NOTICE`, `WARNING`, `INFO`, … */
  readonly severity: string;
  readonly message: string;
}

/** What one statement of a script has returned. */
export interface StatementAnswer {
  /** The first word of its command tag, such as `SELECT`. */
  readonly command: string;
  readonly fields: ScriptField[];
  /** Each value in the text that PostgreSQL writes it in, by the order of the fields. */
  readonly rows: (string | null)[][];
  /** Rows returned or written; of a cut answer the rows that are there. */
  readonly rowCount: number;
  /** Whether there were more rows than were asked for. */
  readonly isCut: boolean;
  readonly durationMs: number;
  readonly notices: ScriptNotice[];
}

/** The answers of all statements of a script, in their order. */
export interface StatementAnswers {
  readonly statements: StatementAnswer[];
  readonly durationMs: number;
}

declare const value: unique symbol;
/** The JSON of a value, as bytes. */
export type JsonBytes<Value> = Buffer & { readonly [value]?: Value };

/** Each value is the text from PostgreSQL, or null. */
export type TextRows = QueryArrayResult<(string | null)[]>;

/** What a statement has returned, before it is written as JSON. */
export interface StatementResult {
  /** The first word of its command tag. */
  readonly command: string;
  readonly rows: TextRows;
  readonly isCut: boolean;
  readonly durationMs: number;
  readonly notices: readonly ScriptNotice[];
}

/** A value of each row of the answer, and the text before it. */
interface Column {
  readonly index: number;
  readonly opening: string;
  readonly kind: ValueKind;
  readonly isArray: boolean;
}

/** Returns the JSON of a {@link ScriptResult}, of the results of each statement, in steps. */
export function* scriptJson(
  results: readonly TextRows[],
  durationMs: number,
): Steps<JsonBytes<ScriptResult>> {
  const shown = results.findLast(({ fields }) => fields.length > 0) ?? results.at(-1);
  const fields = shown?.fields ?? [];
  const writer = new JsonWriter();
  const columns = columnsOf(fields);
  writer.write('{"rows":[');
  for (const [index, row] of (shown?.rows ?? []).entries()) {
    writer.write(index === 0 ? '{' : ',{');
    for (const column of columns) {
      writer.write(column.opening);
      yield* writeCell(writer, column, row[column.index] ?? null);
    }
    writer.write('}');
    if (writer.isDue) yield;
  }
  const types = fields.map(({ name, dataTypeID }) => ({ name, type: typeName(dataTypeID) }));
  const rest = { fields: types, rowCount: shown?.rowCount ?? 0, durationMs };
  writer.write(`],${JSON.stringify(rest).slice(1)}`);
  return writer.bytes();
}

/** Returns the value of an answer that is known to be small. */
export function valuesOf(answer: JsonBytes<ScriptResult>): ScriptResult {
  // `scriptJson` has written this shape.
  return JSON.parse(answer.toString()) as ScriptResult;
}

/** Returns the JSON of {@link StatementAnswers}, in steps. */
export function* statementsJson(
  results: readonly StatementResult[],
  durationMs: number,
): Steps<JsonBytes<StatementAnswers>> {
  const writer = new JsonWriter();
  writer.write('{"statements":[');
  for (const [index, { rows: result, ...rest }] of results.entries()) {
    const { fields, rows } = result;
    const types = fields.map(({ name, dataTypeID }) => ({ name, type: typeName(dataTypeID) }));
    const rowCount = rest.isCut ? rows.length : (result.rowCount ?? rows.length);
    const facts = { fields: types, rowCount, ...rest };
    writer.write(`${index === 0 ? '' : ','}${JSON.stringify(facts).slice(0, -1)},"rows":[`);
    for (const [place, row] of rows.entries()) {
      writer.write(place === 0 ? '[' : ',[');
      for (const [at, text] of row.entries()) {
        if (at > 0) writer.write(',');
        if (text === null) writer.write('null');
        else yield* writeValue(writer, 'text', text);
      }
      writer.write(']');
      if (writer.isDue) yield;
    }
    writer.write(']}');
  }
  writer.write(`],"durationMs":${durationMs}}`);
  return writer.bytes();
}

function* writeCell(
  writer: JsonWriter,
  { kind, isArray }: Column,
  text: string | null,
): Steps<void> {
  if (text === null) writer.write('null');
  else if (isArray) yield* writeArray(writer, kind, text);
  else yield* writeValue(writer, kind, text);
}

/** If columns have the same name, the last one replaces the first, at its place. */
function columnsOf(fields: TextRows['fields']): readonly Column[] {
  const last = new Map(fields.map(({ name }, index) => [name, index]));
  return [...last].map(([name, index], place) => {
    const oid = fields[index]?.dataTypeID ?? 0;
    const opening = `${place === 0 ? '' : ','}${JSON.stringify(name)}:`;
    return { index, opening, kind: kindOf(oid), isArray: isArrayType(oid) };
  });
}
