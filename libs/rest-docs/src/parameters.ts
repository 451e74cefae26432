// Parameters of the query string and headers of the table and function routes. None has an `example`: pages that try
// out requests would send it.
import type { Column } from '#libs/catalog';
import { RESERVED_NAMES } from '#libs/rest-query';

import { asCode, namePart, parameterRef } from './names.js';
import type { Parameter, Reference, Schema } from './openapi.js';
import type { EnumLabels } from './value-schema.js';
import type { VisibleTable } from './visible.js';
import { covers } from './rights.js';

const text: Schema = { type: 'string' };
const rows: Schema = { type: 'integer', minimum: 0 };

function query(name: string, description: string, schema: Schema = text): Parameter {
  return { name, in: 'query', description, schema };
}

function header(name: string, description: string): Parameter {
  return { name, in: 'header', description, schema: text };
}

const count =
  '- `count=exact`, `count=planned`, `count=estimated`: the total of rows in Content-Range. The last two count up to 100,000 rows where policies hide some.';
const written =
  '- `return=minimal` (default), `return=representation`: the rows, `return=headers-only`.';
const dryRun = '- `tx=rollback`: run, report and undo.';
const maxAffected = '- `max-affected=10`: refuse to touch more rows.';
const strict = '- `handling=strict`: refuse preferences that are not known.';
const prefer = (...lines: readonly string[]): Parameter =>
  header('Prefer', ['Preferences, separated by commas (RFC 7240):', '', ...lines].join('\n'));

/** Parameters that many operations share, by the name of their component. */
export function sharedParameters(maxRows: number) {
  return {
    select: query(
      'select',
      'Columns of the answer, separated by commas: `id,title`. `alias:column` renames, `column::type` ' +
        'casts, `column->key` leads into JSON, `author(id,name)` embeds related rows, `*` is every column.',
    ),
    order: query(
      'order',
      'Order of the rows: `created_at.desc,id.asc`; `.nullsfirst` and `.nullslast` place empty values.',
    ),
    limit: query('limit', `Most rows of the answer; at most ${maxRows}.`, rows),
    offset: query('offset', 'Rows to skip.', rows),
    or: query(
      'or',
      'Filters of which one has to hold: `(age.lt.18,and(age.gte.65,name.like.A*))`.',
    ),
    and: query(
      'and',
      'Filters that all have to hold, several for one column too: `(age.gte.18,age.lt.65)`.',
    ),
    onConflict: query(
      'on_conflict',
      'Columns of the unique key whose conflicts make the insert an upsert; the primary key by default.',
    ),
    columns: query('columns', 'The columns that are read from the body; other keys are ignored.'),
    range: header('Range', 'Rows of the answer, both ends included: `0-9`. Limit and offset win.'),
    preferRead: prefer(count, strict),
    preferInsert: prefer(
      written,
      '- `resolution=merge-duplicates`, `resolution=ignore-duplicates`: what a conflict does.',
      '- `missing=default`: columns that a row leaves out get their default, not null.',
      count,
      maxAffected,
      dryRun,
      strict,
    ),
    preferWrite: prefer(written, count, maxAffected, dryRun, strict),
    preferCall: prefer(
      '- `return=minimal`: nothing of the result.',
      '- `params=single-object`: the body is the only argument.',
      count,
      maxAffected,
      dryRun,
      strict,
    ),
    preferBatch: prefer(
      '- `return=representation` (default), `return=minimal`.',
      '- `missing=default`: columns that a row leaves out get their default, not null.',
      '- `max-affected=10`: refuse operations that touch more rows.',
      dryRun,
      strict,
    ),
  } satisfies Record<string, Parameter>;
}

type SharedParameter = keyof ReturnType<typeof sharedParameters>;

/** References to shared parameters. */
export function shared(...names: readonly SharedParameter[]): readonly Reference[] {
  return names.map((name) => parameterRef(name));
}

/** The filters of a table by the name of their component: one for each column that may be read. */
export function filterParameters(
  { table, rights }: VisibleTable,
  enums: EnumLabels,
): readonly (readonly [component: string, parameter: Parameter])[] {
  return table.columns
    .filter(({ name }) => covers(rights.select, name))
    .map((column) => {
      const examples = filterExamples(column, enums).map((example) => asCode(example));
      const description = `Filter: ${examples.join(', ')}.`;
      return [filterName(table.name, column.name), query(fieldName(column.name), description)];
    });
}

/** References to the filters of a table, without those for the names in `except`. */
export function filterRefs(
  { table, rights }: VisibleTable,
  except: ReadonlySet<string> = new Set(),
): readonly Reference[] {
  return table.columns
    .filter(({ name }) => covers(rights.select, name) && !except.has(name))
    .map(({ name }) => parameterRef(filterName(table.name, name)));
}

function filterName(table: string, column: string): string {
  return `filter.${namePart(table)}.${namePart(column)}`;
}

/** A column or an argument as the query string names it: in quotes if it would mean something else. */
export function fieldName(column: string): string {
  const isPlain = /^[\p{L}\p{N}_ -]+$/u.test(column) && !RESERVED_NAMES.includes(column);
  return isPlain ? column : `"${column.replace(/["\\]/g, String.raw`\$&`)}"`;
}

const EXAMPLES_BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  boolean: ['is.true'],
  uuid: ['eq.0b9a6e2e-4d0a-4c3b-9a57-6d3c2f3f1a10'],
  date: ['gte.2024-01-31', 'lt.2024-03-01'],
  'timestamp with time zone': ['gte.2024-01-31T12:00:00Z'],
  'timestamp without time zone': ['gte.2024-01-31T12:00:00'],
  interval: ['lt.1 day'],
  inet: ['cd.10.0.0.0/8'],
};
const numbers = new Set(['smallint', 'integer', 'bigint', 'real', 'double precision', 'numeric']);

/** Values of a filter that fit the type of the column. */
function filterExamples(column: Column, enums: EnumLabels): readonly string[] {
  const orNull = column.isNullable ? ['is.null'] : [];
  return [...examplesFor(column, enums), ...orNull];
}

function examplesFor({ valueKind, baseType }: Column, enums: EnumLabels): readonly string[] {
  switch (valueKind) {
    case 'array':
      return ['cs.{a,b}', 'ov.{a,b}'];
    case 'json':
      return ['is.null'];
    case 'jsonb':
      return ['cs.{"key":"value"}'];
    case 'tsvector':
      return ['wfts.word'];
    case 'composite':
    case 'geometry':
      return ['not.is.null'];
    case 'text':
    case 'other':
      return scalarExamples(baseType, enums);
  }
}

function scalarExamples(baseType: string, enums: EnumLabels): readonly string[] {
  const labels = enums.get(baseType);
  if (labels) return [`eq.${labels[0] ?? ''}`, `in.(${labels.slice(0, 2).join(',')})`];
  const plain = baseType.replace(/\(.*\)/, '');
  if (numbers.has(plain)) return ['eq.5', 'gte.10', 'in.(1,2,3)'];
  if (plain.endsWith('range')) return ['ov.[1,10)'];
  const known = Object.hasOwn(EXAMPLES_BY_TYPE, plain) ? EXAMPLES_BY_TYPE[plain] : undefined;
  return known ?? ['eq.word', 'ilike.*word*', 'in.(a,b)'];
}
