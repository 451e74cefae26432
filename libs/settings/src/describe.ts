import { fieldsOf, type Group } from './define-group.js';
import type { Field } from './field.js';

/** The limits of a field, for a form that refuses early. */
export interface Limits {
  readonly min?: number;
  readonly max?: number;
  readonly unit?: 's';
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly format?: string;
  readonly of?: readonly string[];
}

export interface FieldForm {
  readonly name: string;
  readonly kind: Field['kind'];
  readonly label: string;
  readonly help?: string;
  readonly default: boolean | number | string | readonly string[] | null;
  readonly limits: Limits;
}

export interface GroupForm {
  readonly name: string;
  readonly title: string;
  readonly help: string;
  readonly fields: readonly FieldForm[];
}

/** A group as a form for the console: no values and no names of environment variables. */
export function describe(group: Group): GroupForm {
  const { name, title, help } = group;
  return { name, title, help, fields: fieldsOf(group).map(([id, field]) => fieldForm(id, field)) };
}

function fieldForm(name: string, field: Field): FieldForm {
  return {
    name,
    kind: field.kind,
    label: field.label,
    ...(field.help !== undefined && { help: field.help }),
    default: field.kind === 'secret' ? null : (field.default ?? null),
    limits: limitsOf(field),
  };
}

function limitsOf(field: Field): Limits {
  switch (field.kind) {
    case 'flag':
      return {};
    case 'integer': {
      const [min, max] = field.clamp ?? field.range ?? [];
      return {
        ...(min !== undefined && max !== undefined && { min, max }),
        ...(field.unit && { unit: field.unit }),
      };
    }
    case 'text':
      return { maxLength: field.maxLength, ...(field.format && { format: field.format }) };
    case 'secret':
      return { maxLength: field.maxLength };
    case 'choice':
      return { of: field.of };
    case 'list':
      return {
        maxItems: field.maxItems,
        maxLength: field.maxLength,
        ...(field.format && { format: field.format }),
      };
  }
}
