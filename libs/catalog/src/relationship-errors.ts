// The errors for a name of an embed that leads nowhere or to several relationships.
import { fail, type AppError, type MentionedName } from '#libs/errors';
import type { Table } from './catalog.js';
import { nearestName } from './nearest.js';
import type { ColumnPair, RelationName } from './relationship.js';
import { shorten } from './shorten.js';
import type { Referrer, Way } from './ways.js';

interface Searched {
  /** All ways from the table. */
  readonly ways: readonly Way[];
  /** The relationships with that name, whatever their hints. */
  readonly named: readonly Way[];
}

/** PGRST200. The hint is the nearest name that would have worked. */
export function relationshipNotFound(
  from: Table,
  { relation, hint }: RelationName,
  { ways, named }: Searched,
): AppError {
  const using = hint === undefined ? '' : ` by the hint ${shorten(hint)}`;
  const isWrongHint = hint !== undefined && named.length > 0;
  const nearest = isWrongHint
    ? nearestName(hint, named.flatMap(hintsOf))
    : nearestName(relation, [...namesOf(from, ways)]);
  const written = isWrongHint ? `${relation}!${nearest}` : nearest;
  return fail(
    'PGRST200',
    { from: from.name, to: shorten(relation) },
    {
      details: `No foreign key and no computed relation leads from ${from.name} to ${shorten(relation)}${using}`,
      ...(nearest !== undefined && {
        hint: `Perhaps you meant ${written}`,
        mentions: mentionsOf(from, isWrongHint ? named : waysTo(nearest, ways), nearest),
      }),
    },
  );
}

/** PGRST200 where only a temporal foreign key leads, which no join by equality follows. */
export function temporalKeyRefused(
  from: Table,
  { relation }: RelationName,
  { table, key }: Referrer,
): AppError {
  return fail(
    'PGRST200',
    { from: from.name, to: shorten(relation) },
    {
      details: `${key.name} is a temporal foreign key (PERIOD): it leads to rows that overlap, which are not embedded`,
      hint: 'Write a function that takes a row and returns the related rows; it is embedded by its name',
      mentions: [table, { schema: key.target.schema, name: key.target.table }].map(
        ({ schema, name }) => ({ kind: 'table', schema, name }) as const,
      ),
    },
  );
}

function waysTo(name: string, ways: readonly Way[]): readonly Way[] {
  return ways.filter(({ names }) => names.includes(name));
}

/** The tables on the way; for a computed relation its function. */
function mentionsOf(
  from: Table,
  ways: readonly Way[],
  computedName?: string,
): readonly MentionedName[] {
  const tables = ways.flatMap(({ relationship }) =>
    relationship.kind === 'junction'
      ? [relationship.to, relationship.through]
      : [relationship.to, relationship.from],
  );
  const computed = from.computedRelations.filter(({ name }) => name === computedName);
  return [
    ...tables.map(({ schema, name }) => ({ kind: 'table', schema, name }) as const),
    ...computed.map(({ routine }) => ({ kind: 'function', ...routine }) as const),
  ];
}

function* namesOf(from: Table, ways: readonly Way[]): Generator<string> {
  for (const { names } of ways) yield* names;
  for (const { name } of from.computedRelations) yield name;
}

function hintsOf({ hints }: Way): readonly string[] {
  return hints;
}

/** PGRST201 (300): each candidate is described in the details, and the hint lists what to write. */
export function severalRelationships(
  from: Table,
  { relation }: RelationName,
  found: readonly Way[],
): AppError {
  const choices = found.map((way) => choiceOf(way, found));
  return fail(
    'PGRST201',
    { from: from.name, to: relation },
    {
      details: found.map((way) => ({
        cardinality: way.cardinality,
        relationship: describe(way),
        embedding: `${from.name} with ${way.relationship.to.name}`,
      })),
      hint: `Write one of these instead of ${relation}: ${choices.join(', ')}`,
      mentions: mentionsOf(from, found),
    },
  );
}

function choiceOf({ relationship }: Way, found: readonly Way[]): string {
  const { to } = relationship;
  if (relationship.kind === 'foreign-key') return `${to.name}!${relationship.constraint}`;
  const { through, far } = relationship;
  const isOnlyOne = found.filter((way) => way.hints.includes(through.name)).length === 1;
  return `${to.name}!${isOnlyOne ? through.name : far.constraint}`;
}

function describe({ relationship }: Way): string {
  if (relationship.kind === 'junction') {
    const { through, near, far } = relationship;
    const nearColumns = columnsOf(near.pairs, 'to');
    return `${through.name} using ${near.constraint}(${nearColumns}) and ${far.constraint}(${columnsOf(far.pairs, 'from')})`;
  }
  const { constraint, from, to, pairs } = relationship;
  const ends = `${from.name}(${columnsOf(pairs, 'from')}) and ${to.name}(${columnsOf(pairs, 'to')})`;
  return `${constraint} using ${ends}`;
}

function columnsOf(pairs: readonly ColumnPair[], side: 'from' | 'to'): string {
  return pairs.map((pair) => pair[side]).join(', ');
}
