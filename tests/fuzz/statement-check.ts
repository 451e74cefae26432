// What the text of a statement may be made of: names and types of the catalog, names that the request gives
// to parts of its answer, and a vocabulary of our own. Everything else of a request is a parameter.
import type { Catalog, Column, Routine, Table, ValueType } from '#libs/catalog';
import type { Permitted } from './request-text.js';
import { sqlTokens } from './sql-text.js';

const WORDS = new Set(
  `select from where and or not is null true false unknown as on left join cross lateral with materialized
   operator limit offset order by desc nulls first last group any all exists insert into update set delete returning
   default values conflict do nothing excluded case when then else end union explain format json text analyze
   verbose settings buffers wal constraints immediate distinct like ilike using ordinality variadic array
   row_to_json json_agg coalesce to_jsonb jsonb count sum avg max min json_build_object json_build_array
   json_strip_nulls to_json json_array_elements json_to_record json_to_recordset json_each_text string_agg
   replace nextval pg_get_serial_sequence to_tsvector to_tsquery plainto_tsquery phraseto_tsquery
   websearch_to_tsquery pg_catalog current_setting set_config auth deny nullif jsonb_agg jsonb_object_agg
   jsonb_array_elements e row f v key value place p x a k kept t r c w name path operation found element number s
   int integer smallint bigint real float decimal numeric boolean varchar date int2 int4 int8 float4 float8 bool bpchar bit`.split(
    /\s+/,
  ),
);
/** Rows, embeds, junctions and columns that a statement has numbered. */
const NUMBERED = /^[tercj]\d+$/;
const LITERALS = new Set([
  '',
  '[]',
  '{}',
  'null',
  ',',
  '"',
  '""',
  '\r\n',
  String.raw`[",\r\n]`,
  'type',
  'Feature',
  'geometry',
  'properties',
  'response.status',
  'response.headers',
  'english',
  'pg_catalog.simple',
  'rowhouse.result_',
  '400',
  'BATCH_REFERENCE_MISSING',
  'v',
]);
/** Where the result of an operation of a batch is kept, and the number of one of its rows. */
const KEPT = /^(?:rowhouse\.result_)?\d{1,3}$/;

/** What statements over a catalog may be made of, whatever the request. */
export interface Vocabulary {
  readonly names: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  readonly literals: ReadonlySet<string>;
}

export function vocabularyOf({ tableByName, routines }: Catalog): Vocabulary {
  const tables = [...tableByName.values()];
  const callable = [...routines.values()].flatMap((byName) => [...byName.values()].flat());
  const columns = [...tables.flatMap(columnsOf), ...callable.flatMap(columnsOfResult)];
  const types: readonly ValueType[] = [...columns, ...callable.flatMap(typesOf)];
  // Types and defaults are written as the catalog has them.
  const texts = new Set([
    ...types.flatMap(({ type, baseType, elementType = '' }) => [type, baseType, elementType]),
    ...columns.flatMap(({ default: given }) => (given.kind === 'expression' ? [given.sql] : [])),
  ]);
  const tokens = [...texts].flatMap(sqlTokens);
  const valuesOf = (kind: string): string[] =>
    tokens.filter((token) => token.kind === kind).map(({ value }) => value);
  const names = [
    ...tables.flatMap(({ schema, name, computedColumns, computedRelations }) => [
      schema,
      name,
      ...computedColumns.keys(),
      ...computedRelations.map((relation) => relation.routine.name),
    ]),
    ...callable.flatMap(({ name, args }) => [name, ...args.map((each) => each.name ?? '')]),
    ...columns.map(({ name }) => name),
  ];
  return {
    names: new Set([...names, ...valuesOf('name'), '1']),
    words: new Set([...WORDS, ...valuesOf('word').map((word) => word.toLowerCase())]),
    literals: new Set([
      ...LITERALS,
      ...valuesOf('literal'),
      ...columns.map(({ name }) => name),
      ...tables.map(({ name }) => `"public"."${name.replaceAll('"', '""')}"`),
    ]),
  };
}

function columnsOf({ columns }: Table): readonly Column[] {
  return columns;
}

function columnsOfResult({ returns }: Routine): readonly Column[] {
  return returns.kind === 'rows' ? returns.columns : [];
}

function typesOf({ args, returns }: Routine): readonly ValueType[] {
  return returns.kind === 'scalar' ? [...args, returns] : args;
}

/** The first thing in a statement that has no business there; undefined when all is well. */
export function strangerIn(
  text: string,
  known: Vocabulary,
  { outputs, literals }: Permitted,
): string | undefined {
  for (const { kind, value } of sqlTokens(text)) {
    switch (kind) {
      case 'name':
        if (!known.names.has(value) && !outputs.has(value)) return `the name ${value}`;
        break;
      case 'literal':
        if (!known.literals.has(value) && !literals.has(value) && !KEPT.test(value))
          return `the literal '${value}'`;
        break;
      case 'word':
        if (!known.words.has(value) && !NUMBERED.test(value)) {
          return `the word ${value}`;
        }
        break;
      case 'number':
      case 'parameter':
      case 'sign':
        break;
    }
  }
  return undefined;
}
