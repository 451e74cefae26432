import type { Group, GroupCapability } from './define-group.js';
import { fieldsIn, type Field, type Fields, type LeafField } from './field.js';

/** The limits of a field, for a form that checks before it submits. */
export interface Limits {
  readonly min?: number;
  readonly max?: number;
  /** A value outside of `min` and `max` is moved to the nearer one, and is not refused. */
  readonly isClamped?: true;
  readonly unit?: 's';
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly format?: string;
  readonly of?: readonly string[];
  readonly multiline?: boolean;
}

interface FormOf<K extends Field['kind'], D> {
  readonly name: string;
  readonly kind: K;
  readonly label: string;
  readonly help?: string;
  readonly default: D;
  readonly limits: Limits;
}

/** A field with one input. */
export type LeafForm = FormOf<
  LeafField['kind'],
  boolean | number | string | readonly string[] | null
>;

/** Fields under one heading, each with its own default. */
export interface ObjectForm extends FormOf<'object', null> {
  readonly fields: readonly FieldForm[];
}

/** Several objects with the same fields, identified by the field called `key`. */
export interface EntriesForm extends FormOf<'entries', readonly never[]> {
  readonly key: string;
  readonly fields: readonly FieldForm[];
}

export type FieldForm = LeafForm | ObjectForm | EntriesForm;

export interface GroupForm {
  readonly name: string;
  readonly title: string;
  readonly help: string;
  /** The capability that an operator needs to read and to write the group. */
  readonly capability: GroupCapability;
  readonly fields: readonly FieldForm[];
}

/** Describes a group as a form for the console: without values and names of environment variables. */
export function describe(group: Group): GroupForm {
  const { name, title, help, capability } = group;
  return { name, title, help, capability, fields: formsOf(group.fields) };
}

function formsOf(fields: Fields): readonly FieldForm[] {
  return fieldsIn(fields).map(([name, field]) => fieldForm(name, field));
}

function fieldForm(name: string, field: Field): FieldForm {
  const { label, help } = field;
  const heading = { name, label, ...(help !== undefined && { help }) };
  if (field.kind === 'object') {
    return {
      ...heading,
      kind: field.kind,
      default: null,
      limits: {},
      fields: formsOf(field.fields),
    };
  }
  if (field.kind === 'entries') {
    const { kind, key, maxItems } = field;
    return {
      ...heading,
      kind,
      default: [],
      limits: { maxItems },
      key,
      fields: formsOf(field.fields),
    };
  }
  return {
    ...heading,
    kind: field.kind,
    default: field.kind === 'secret' ? null : (field.default ?? null),
    limits: limitsOf(field),
  };
}

function limitsOf(field: LeafField): Limits {
  switch (field.kind) {
    case 'flag':
      return {};
    case 'integer': {
      const [min, max] = field.clamp ?? field.range ?? [];
      return {
        ...(min !== undefined && max !== undefined && { min, max }),
        ...(field.clamp && { isClamped: true }),
        ...(field.unit && { unit: field.unit }),
      };
    }
    case 'text':
      return {
        maxLength: field.maxLength,
        ...(field.format && { format: field.format }),
        ...(field.multiline === true && { multiline: true }),
      };
    case 'secret':
      return { maxLength: field.maxLength };
    case 'choice':
      return { of: field.of };
    case 'list':
      return {
        maxItems: field.maxItems,
        maxLength: field.maxLength,
        ...(field.format && { format: field.format }),
        ...(field.of && { of: field.of }),
      };
  }
}
