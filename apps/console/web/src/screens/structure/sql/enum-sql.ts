// Enums as changes.
import { commentText, qualified, quoteName, quoteText } from '../../../sql/quote.js';
import type { EnumType, SchemaColumn, SchemaTable } from '../../project/schema.js';
import { type Change, harmless } from '../change.js';

export interface EnumValueDraft {
  readonly key: string;
  /** The value as it is; undefined for a new one. */
  readonly before: string | undefined;
  readonly value: string;
}

export interface EnumDraft {
  readonly name: string;
  readonly comment: string;
  /** In their order. Values that are there keep theirs: PostgreSQL can neither move nor drop one. */
  readonly values: readonly EnumValueDraft[];
}

export function createEnum(schema: string, { name: given, comment, values }: EnumDraft): Change {
  const name = given.trim();
  const type = qualified({ schema, name });
  return harmless({
    title: `Create the enum ${name}`,
    done: `The enum ${name} was created.`,
    statements: [
      `create type ${type} as enum (${values.map(({ value }) => quoteText(value)).join(', ')})`,
      ...(comment === '' ? [] : [`comment on type ${type} is ${commentText(comment)}`]),
    ],
  });
}

/** The change of an enum into a draft: new names, new values at their places, another comment. */
export function changeEnum(type: EnumType, draft: EnumDraft): Change {
  const place = qualified(type);
  const name = draft.name.trim();
  return harmless({
    title: `Change the enum ${type.name}`,
    done: `The enum ${name} was changed.`,
    statements: [
      ...draft.values.flatMap(({ before, value }) =>
        before === undefined || before === value
          ? []
          : [`alter type ${place} rename value ${quoteText(before)} to ${quoteText(value)}`],
      ),
      ...draft.values.flatMap(({ before, value }, index) =>
        before === undefined
          ? [`alter type ${place} add value ${quoteText(value)}${placeAmong(draft.values, index)}`]
          : [],
      ),
      ...(draft.comment === (type.comment ?? '')
        ? []
        : [`comment on type ${place} is ${commentText(draft.comment)}`]),
      ...(name === type.name ? [] : [`alter type ${place} rename to ${quoteName(name)}`]),
    ],
  });
}

/** New values come in their order, so the one before is always there. */
function placeAmong(values: readonly EnumValueDraft[], index: number): string {
  const previous = values[index - 1];
  if (previous) return ` after ${quoteText(previous.value)}`;
  const next = values.find(({ before }) => before !== undefined);
  return next ? ` before ${quoteText(next.value)}` : '';
}

/** As much of a table as says which types it uses. */
type TypedTable = Pick<SchemaTable, 'name'> & {
  readonly columns: readonly Pick<SchemaColumn, 'name' | 'baseType'>[];
};

export function dropEnum(type: EnumType, tables: readonly TypedTable[]): Change {
  const uses = usesOf(type, tables);
  return {
    title: `Drop the enum ${type.name}`,
    done: `The enum ${type.name} was dropped.`,
    statements: [`drop type ${qualified(type)}`],
    losses: [
      'The type.',
      ...uses.map(
        (use) => `The column ${use} uses the enum, so the enum cannot be dropped without CASCADE.`,
      ),
    ],
    confirm: type.name,
  };
}

/** The columns that have an enum or an array of it as their type, as `table.column`. */
export function usesOf(
  { schema, name }: Pick<EnumType, 'schema' | 'name'>,
  tables: readonly TypedTable[],
): readonly string[] {
  const plain = qualified({ schema, name });
  return tables.flatMap((table) =>
    table.columns
      .filter(({ baseType }) => baseType === plain || baseType === `${plain}[]`)
      .map((column) => `${table.name}.${column.name}`),
  );
}

/** What keeps a draft from being SQL, in words. */
export function enumProblem({ name, values }: EnumDraft): string | undefined {
  if (name.trim() === '') return 'Give the enum a name.';
  if (values.length === 0) return 'Give the enum a value.';
  const texts = values.map(({ value }) => value);
  if (texts.includes('')) return 'Give every value a text.';
  const twice = texts.find((text, index) => texts.indexOf(text) !== index);
  return twice === undefined ? undefined : `Two values are ${twice}.`;
}
