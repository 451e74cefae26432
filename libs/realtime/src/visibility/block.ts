// The block that PostgreSQL runs to evaluate conditions on rows of events. Nothing is stored: it is text, and its input and
// output are settings of the transaction.
//
// Conditions of the project run in it. Whatever they do must not reach another caller's answer:
// - Each evaluation is undone: it ends with an error, which takes back every setting, also those of role and search path.
// - Answers are kept in variables of the block, which no other code reaches; the output is written after the last
//   evaluation. A variable is assigned when its query is complete, so an error that a condition raises leaves none.
// - The input is read and cleared before the first evaluation.
// - Functions, types and operators of the block are named with their schema, except operators of filters: PostgreSQL
//   chooses those by the type of the column. Names of the block begin in a way in which no column of the table begins;
//   where names meet, the column comes first.

import { quoteIdent } from '#libs/wire';

import type { TableFacts } from './facts.js';
import { quoteText } from './filter.js';

/** Writes the input of a block: the rows as a JSON list, and the callers as arrays in the form of PostgreSQL. */
export const INPUT = `select pg_catalog.set_config('realtime.rows', $1, true),
  pg_catalog.set_config('realtime.subjects', $2, true), pg_catalog.set_config('realtime.claims', $3, true)`;
export const OUTPUT = `select pg_catalog.current_setting('realtime.output')`;
/** The output of a block that was made for other facts than the current ones. */
export const CHANGED = 'changed';

export const EQUALS = 'operator(pg_catalog.=)';
/** Ends an evaluation and undoes it; any other error is the project's. */
export const END = `raise exception using errcode = 'RTEND'`;
/** A lock that lasts too long is no error of a condition: it ends the call, before the next caller waits as long. */
const RAISE_LOCKED = 'when lock_not_available or deadlock_detected then raise;';

/** Names of the block. */
export class Names {
  readonly #prefix: string;

  constructor({ columns, name }: TableFacts) {
    let prefix = 'realtime_';
    const taken = [...columns.map((column) => column.name), name];
    while (taken.some((other) => other.startsWith(prefix))) prefix += '_';
    this.#prefix = prefix;
  }

  of(name: string): string {
    return this.#prefix + name;
  }
}

/** Steps between reading the input and writing the output, which is a JSON object of variables. */
export interface BlockBody {
  readonly steps: readonly string[];
  readonly output: readonly string[];
}

/** The statement with the block. */
export function blockText(facts: TableFacts, names: Names, { steps, output }: BlockBody): string {
  const v = (name: string): string => names.of(name);
  const { hash, sqlName } = facts;
  const body = `#variable_conflict use_column
declare
  ${v('given')} pg_catalog.json;
  ${v('rows')} ${sqlName}[];
  ${v('row')} ${sqlName};
  ${v('known')} pg_catalog.text;
  ${v('cut')} pg_catalog.json;
  ${v('bits')} pg_catalog.text;
  ${v('set')} pg_catalog.text;
  ${v('pairs')} pg_catalog.text;
  ${v('all')} pg_catalog.text[] := '{}';
  ${v('errors')} pg_catalog.text[] := '{}';
  ${v('claims')} pg_catalog.text[];
  ${v('subjects')} pg_catalog.text[];
  ${v('broken')} pg_catalog.int4[] := '{}';
  ${v('since')} pg_catalog.timestamptz;
  ${v('began')} pg_catalog.timestamptz;
  ${v('ms')} pg_catalog.int8;
  ${v('stopped')} pg_catalog.text;
begin
  if pg_catalog.current_setting('realtime.facts') operator(pg_catalog.<>) ${quoteText(hash)} then
    perform pg_catalog.set_config('realtime.output', '${CHANGED}', true);
    return;
  end if;
  ${v('given')} := pg_catalog.current_setting('realtime.rows')::pg_catalog.json;
  ${v('subjects')} := pg_catalog.current_setting('realtime.subjects')::pg_catalog.text[];
  ${v('claims')} := pg_catalog.current_setting('realtime.claims')::pg_catalog.text[];
  perform pg_catalog.set_config('realtime.rows', '', true), pg_catalog.set_config('realtime.subjects', '', true),
    pg_catalog.set_config('realtime.claims', '', true);
${populateRows(facts, names)}
${steps.join('\n')}
  perform pg_catalog.set_config('realtime.output', pg_catalog.json_build_object(
    ${output.map((name) => `'${name}', ${v(name)}`).join(', ')}
  )::pg_catalog.text, true);
end`;
  let tag = '$realtime$';
  while (body.includes(tag)) tag = tag.replace('realtime', 'realtime_');
  return `do ${tag}\n${body}\n${tag}`;
}

/** The rows as values of the table's type. What is no row of the table any more is null. */
function populateRows({ sqlName }: TableFacts, names: Names): string {
  const v = (name: string): string => names.of(name);
  const given = v('given');
  return `  begin
    ${v('rows')} := array(select ${v('r')} from pg_catalog.json_populate_recordset(null::${sqlName}, ${given}) ${v('r')});
    ${END};
  exception ${RAISE_LOCKED} when others or assert_failure then
    if sqlstate operator(pg_catalog.<>) 'RTEND' then
      ${v('rows')} := '{}';
      for ${v('i')} in 1 .. pg_catalog.json_array_length(${given}) loop
        ${v('row')} := null;
        begin
          ${v('row')} := pg_catalog.json_populate_record(null::${sqlName}, ${given} operator(pg_catalog.->) (${v('i')} operator(pg_catalog.-) 1));
          ${END};
        exception ${RAISE_LOCKED} when others or assert_failure then
          if sqlstate operator(pg_catalog.<>) 'RTEND' then
            ${v('broken')} := pg_catalog.array_append(${v('broken')}, ${v('i')} operator(pg_catalog.-) 1);
          end if;
        end;
        ${v('rows')}[${v('i')}] := ${v('row')};
      end loop;
    end if;
  end;`;
}

/** A query into `bits` whose answer outlives its evaluation. `onError` is what its error is called in the output. */
export function evaluate(names: Names, query: string, onError: string): string {
  return evaluation(names, { query, onError, onCancel: '' });
}

/**
 * The same in steps of {@link untilStopped}: at the limit of the statement the block ends with the answers it has, and
 * `stopped` is `onError` and the milliseconds that this evaluation has taken. PostgreSQL cancels a statement once, so no
 * further evaluation may follow.
 */
export function evaluateUntilLimit(names: Names, query: string, onError: string): string {
  const since = names.of('since');
  const onCancel = `when query_canceled then
      ${names.of('stopped')} := pg_catalog.concat_ws(
        ' ', ${onError}, ${millisecondsSince(since)});
      exit ${names.of('work')};
    `;
  return `    ${since} := pg_catalog.clock_timestamp();
${evaluation(names, { query, onError, onCancel })}`;
}

/** Steps that {@link evaluateUntilLimit} may end early, and `ms`, the milliseconds that they take. */
export function untilStopped(names: Names, steps: readonly string[]): readonly string[] {
  return [
    `  ${names.of('began')} := pg_catalog.clock_timestamp();\n  <<${names.of('work')}>>\n  begin`,
    ...steps,
    `    null;\n  end;\n  ${names.of('ms')} := ${millisecondsSince(names.of('began'))};`,
  ];
}

function millisecondsSince(began: string): string {
  const elapsed = `pg_catalog.date_part('epoch', pg_catalog.clock_timestamp() operator(pg_catalog.-) ${began})`;
  return `(${elapsed} operator(pg_catalog.*) 1000::pg_catalog.float8)::pg_catalog.int8`;
}

function evaluation(
  names: Names,
  texts: { readonly query: string; readonly onError: string; readonly onCancel: string },
): string {
  const { query, onError, onCancel } = texts;
  return `    ${names.of('bits')} := null;
    begin
      ${query}
      ${END};
    exception ${onCancel}${RAISE_LOCKED} when others or assert_failure then
      if ${names.of('bits')} is null then
        ${names.of('errors')} := pg_catalog.array_append(${names.of('errors')}, pg_catalog.concat_ws(
          ' ', ${onError}, sqlstate, pg_catalog.left(sqlerrm, 500)));
      end if;
    end;`;
}

/** Adds the answer of the last evaluation to `all`. */
export function keep(names: Names): string {
  const all = names.of('all');
  return `    ${all} := pg_catalog.array_append(${all}, ${names.of('bits')});`;
}

/** One function in FROM: its rows come in the order of the array, which is the order of the bits. */
export function fromRows({ alias }: TableFacts, names: Names): string {
  return `pg_catalog.unnest(${names.of('rows')}) as ${alias}`;
}

/** The same with the number of each row, from 1, in a column of its own. */
export function fromNumberedRows({ alias, columns }: TableFacts, names: Names): string {
  const list = [...columns.map(({ name }) => quoteIdent(name)), names.of('n')].join(', ');
  return `pg_catalog.unnest(${names.of('rows')}) with ordinality as ${alias}(${list})`;
}

/** The text of an array of PostgreSQL. */
export function arrayText(values: readonly (string | null)[]): string {
  const items = values.map((value) =>
    value === null ? 'NULL' : `"${value.replace(/["\\]/g, '\\$&')}"`,
  );
  return `{${items.join(',')}}`;
}
