// The statements that make a table, and those that change one into what was drafted.
import { commentText, nameList, qualified, quoteName } from '../../../sql/quote.js';
import type { SchemaColumn, SchemaTable, TableDependent } from '../../project/schema.js';
import { type Change, harmless } from '../change.js';
import { alsoDropped, dependentsOfColumn, dependsOn, rowsInWords } from './losses.js';
import type { ColumnDraft, Reference, TableDraft } from './table-draft.js';
import { mayLoseValues } from './type-change.js';

/** The change that makes a table in a schema. */
export function createTable(schema: string, draft: TableDraft): Change {
  const name = draft.name.trim();
  const table = qualified({ schema, name });
  const keys = draft.columns.filter(({ isPrimary }) => isPrimary).map((each) => each.name.trim());
  const lines = draft.columns.map(columnDefinition);
  if (keys.length > 0) lines.push(`primary key (${nameList(keys)})`);
  return harmless({
    title: `Create the table ${name}`,
    done: `The table ${name} was created.`,
    statements: [
      `create table ${table} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n)`,
      `alter table ${table} enable row level security`,
      ...(draft.comment === ''
        ? []
        : [`comment on table ${table} is ${commentText(draft.comment)}`]),
      ...draft.columns.flatMap((column) => commentOf(table, column)),
    ],
  });
}

/** The change of a table into a draft; without statements if nothing is different. */
export function changeTable(
  table: SchemaTable,
  draft: TableDraft,
  { dependents, isCascading }: { dependents: readonly TableDependent[]; isCascading: boolean },
): Change {
  const place = qualified(table);
  const kept = draft.columns.filter(({ isDropped }) => !isDropped);
  const dropped = draft.columns.filter(({ isDropped, before }) => isDropped && before);
  const name = draft.name.trim();
  const statements = [
    ...dropped.map(({ before }) => dropColumn(place, before, isCascading)),
    ...renames(place, kept),
    ...kept.flatMap((column) => (column.before ? alterColumn(place, column, column.before) : [])),
    ...kept.flatMap((column) => (column.before ? [] : addColumn(place, column))),
    ...(draft.comment === (table.comment ?? '')
      ? []
      : [`comment on ${noun(table)} ${place} is ${commentText(draft.comment)}`]),
    ...(name === table.name ? [] : [`alter ${noun(table)} ${place} rename to ${quoteName(name)}`]),
  ];
  const converted = kept.filter(isLossy);
  const losses = [
    ...dropped.flatMap(({ before }) => lossesOfColumn(table, before, { dependents, isCascading })),
    ...converted.map((column) => lossOfConversion(table, column)),
  ];
  const [first] = [...dropped, ...converted];
  return {
    title: `Change the table ${table.name}`,
    done: `The table ${name} was changed.`,
    statements,
    losses,
    confirm: first && nameToType(table, [...dropped, ...converted]),
  };
}

/** What is typed to confirm: the column, or the table if several lose values. */
function nameToType({ name }: SchemaTable, columns: readonly ColumnDraft[]): string {
  const [only, second] = columns;
  return second === undefined ? (only?.before?.name ?? name) : name;
}

const noun = ({ kind }: Pick<SchemaTable, 'kind'>): string =>
  kind === 'partitioned' ? 'table' : kind === 'foreign' ? 'foreign table' : kind;

function columnDefinition(column: ColumnDraft): string {
  const { name, type, identity, isNullable, isPrimary, isUnique, reference } = column;
  const expression = column.default.trim();
  return [
    `${quoteName(name.trim())} ${type.trim()}`,
    ...(identity === null ? [] : [`generated ${identity} as identity`]),
    ...(isNullable || isPrimary || identity !== null ? [] : ['not null']),
    ...(expression === '' || identity !== null ? [] : [`default ${expression}`]),
    ...(isUnique ? ['unique'] : []),
    ...(reference ? [references(reference)] : []),
  ].join(' ');
}

function references({ schema, table, column, onUpdate, onDelete }: Reference): string {
  return [
    `references ${qualified({ schema, name: table })} (${quoteName(column)})`,
    ...(onUpdate === 'no action' ? [] : [`on update ${onUpdate}`]),
    ...(onDelete === 'no action' ? [] : [`on delete ${onDelete}`]),
  ].join(' ');
}

function commentOf(table: string, { name, comment }: ColumnDraft): readonly string[] {
  if (comment === '') return [];
  return [`comment on column ${table}.${quoteName(name.trim())} is ${commentText(comment)}`];
}

function addColumn(table: string, column: ColumnDraft): readonly string[] {
  const key = column.isPrimary ? ' primary key' : '';
  return [
    `alter table ${table} add column ${columnDefinition(column)}${key}`,
    ...commentOf(table, column),
  ];
}

function dropColumn(table: string, before: SchemaColumn | undefined, isCascading: boolean): string {
  return `alter table ${table} drop column ${quoteName(before?.name ?? '')}${isCascading ? ' cascade' : ''}`;
}

/** Columns may take names of each other: those whose name is still taken go by a name in between. */
function renames(table: string, columns: readonly ColumnDraft[]): readonly string[] {
  const renamed = columns.flatMap(({ before, name }) =>
    before && before.name !== name.trim() ? [{ from: before.name, to: name.trim() }] : [],
  );
  const taken = new Set(renamed.map(({ from }) => from));
  const rename = (from: string, to: string): string =>
    `alter table ${table} rename column ${quoteName(from)} to ${quoteName(to)}`;
  const between = renamed.filter(({ to }) => taken.has(to));
  const direct = renamed.filter(({ to }) => !taken.has(to));
  const nameBetween = (index: number): string => `renamed_${index + 1}`;
  return [
    ...between.map(({ from }, index) => rename(from, nameBetween(index))),
    ...direct.map(({ from, to }) => rename(from, to)),
    ...between.map(({ to }, index) => rename(nameBetween(index), to)),
  ];
}

function alterColumn(table: string, column: ColumnDraft, before: SchemaColumn): readonly string[] {
  const name = quoteName(column.name.trim());
  const alter = (what: string): string => `alter table ${table} alter column ${name} ${what}`;
  const type = column.type.trim();
  const isConverted = type !== before.type;
  const comments =
    column.comment === (before.comment ?? '')
      ? []
      : [`comment on column ${table}.${name} is ${commentText(column.comment)}`];
  if (before.isGenerated) return comments;
  const old = before.default ?? '';
  const wanted = column.identity === null ? column.default.trim() : '';
  const isDefaultNew = wanted !== old;
  return [
    ...(before.identity !== null && column.identity === null ? [alter('drop identity')] : []),
    // A default of the old type may not convert.
    ...(old !== '' && (isConverted || (isDefaultNew && wanted === ''))
      ? [alter('drop default')]
      : []),
    ...(isConverted ? [alter(`type ${type} using ${name}::${type}`)] : []),
    ...(wanted !== '' && (isDefaultNew || isConverted) ? [alter(`set default ${wanted}`)] : []),
    ...nullability(column, before).map(alter),
    ...identityChange(column, before).map(alter),
    ...comments,
  ];
}

function nullability(column: ColumnDraft, before: SchemaColumn): readonly string[] {
  // A column that numbers itself is never null.
  const isNullable = column.isNullable && column.identity === null;
  if (isNullable === before.isNullable) return [];
  return [isNullable ? 'drop not null' : 'set not null'];
}

function identityChange({ identity }: ColumnDraft, before: SchemaColumn): readonly string[] {
  if (identity === null || identity === before.identity) return [];
  return [
    before.identity === null
      ? `add generated ${identity} as identity`
      : `set generated ${identity}`,
  ];
}

const isLossy = ({ before, type, isDropped }: ColumnDraft): boolean =>
  !isDropped && before !== undefined && mayLoseValues(before.type, type.trim());

function lossOfConversion(table: SchemaTable, { before, type }: ColumnDraft): string {
  return `The values of ${before?.name ?? ''} in ${rowsInWords(table)} are converted from ${before?.type ?? ''} to ${type.trim()}. Values that the new type cannot hold are rounded or cut off, or the change fails.`;
}

function lossesOfColumn(
  table: SchemaTable,
  before: SchemaColumn | undefined,
  { dependents, isCascading }: { dependents: readonly TableDependent[]; isCascading: boolean },
): readonly string[] {
  const name = before?.name ?? '';
  return [
    `The values of the column ${name} in ${rowsInWords(table)}.`,
    ...dependentsOfColumn(dependents, name, isCascading),
  ];
}

/** The change that drops a table, view or foreign table. */
export function dropTable(
  table: SchemaTable,
  { dependents, isCascading }: { dependents: readonly TableDependent[]; isCascading: boolean },
): Change {
  const others = dependents.filter(({ isOwn }) => !isOwn);
  return {
    title: `Drop the ${noun(table)} ${table.name}`,
    done: `The ${noun(table)} ${table.name} was dropped.`,
    statements: [`drop ${noun(table)} ${qualified(table)}${isCascading ? ' cascade' : ''}`],
    losses: [
      table.kind === 'view'
        ? 'The view. The rows that it shows stay in their tables.'
        : `The table with ${rowsInWords(table)}, its indexes, triggers and policies.`,
      ...others.map(({ object }) =>
        isCascading ? alsoDropped(object) : dependsOn(object, noun(table)),
      ),
    ],
    confirm: table.name,
  };
}
