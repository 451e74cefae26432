import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import { getMetadataStorage, type ValidationError } from 'class-validator';

import { type AppError, fail } from '#libs/errors';
import { findUnstorable, isRecord } from '#libs/wire';

import { nestedOf } from './nested.js';

/**
 * Checks input against its DTO: refuses fields that the DTO does not declare, and texts that the database cannot store.
 * The error names the field.
 */
export function inputValidation(): ValidationPipe {
  return new InputValidation({
    whitelist: true,
    forbidNonWhitelisted: true,
    transform: true,
    exceptionFactory: (errors) => errorOf(errors),
  });
}

class InputValidation extends ValidationPipe {
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // A path parameter is checked by the rules of its own type.
    if (metadata.type === 'body' || metadata.type === 'query') {
      refuseUnknown(value, metadata.metatype);
      refuseUnstorable(value, metadata.data ?? metadata.type);
    }
    return super.transform(value, metadata);
  }
}

/** Throws INVALID_INPUT for a text that the database cannot store; `name` is the name of a value without fields. */
export function refuseUnstorable(value: unknown, name: string): void {
  const found = findUnstorable(value);
  if (found) throw fail('INVALID_INPUT', { field: found.field ?? name, reason: found.reason });
}

/**
 * Throws UNKNOWN_FIELD for the first field that the DTO, or one nested in it, does not declare. The validator refuses it,
 * too, but only after it has processed all fields, in time that grows with the square of their number.
 */
function refuseUnknown(value: unknown, dto: ArgumentMetadata['metatype'], path = ''): void {
  if (!isRecord(value)) return;
  const known = dto && fieldsOf(dto);
  if (!known || known.size === 0) return;
  const unknown = Object.keys(value).find((field) => !known.has(field));
  if (unknown !== undefined) throw fail('UNKNOWN_FIELD', { field: `${path}${unknown}` });
  for (const [field, nested] of nestedOf(dto)) {
    const inside = value[field];
    if (!Array.isArray(inside)) refuseUnknown(inside, nested, `${path}${field}.`);
    else {
      for (const [index, element] of inside.entries()) {
        refuseUnknown(element, nested, `${path}${field}.${index}.`);
      }
    }
  }
}

const fieldsByDto = new WeakMap<object, ReadonlySet<string>>();

function fieldsOf(dto: NonNullable<ArgumentMetadata['metatype']>): ReadonlySet<string> {
  const found = fieldsByDto.get(dto);
  if (found) return found;
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const fields = new Set(rules.map(({ propertyName }) => propertyName));
  fieldsByDto.set(dto, fields);
  return fields;
}

function errorOf(errors: readonly ValidationError[], path = ''): AppError {
  const [first] = errors;
  if (!first) return fail('INVALID_REQUEST');
  const field = path === '' ? first.property : `${path}.${first.property}`;
  if (first.children && first.children.length > 0) return errorOf(first.children, field);
  const { constraints = {} } = first;
  if ('whitelistValidation' in constraints) return fail('UNKNOWN_FIELD', { field });
  const found = Object.entries(constraints);
  // A value of another type breaks every rule of the field, so the message names the type.
  const constraint = found.find(([kind]) => TYPE_RULES.has(kind)) ?? found[0];
  if (!constraint) return fail('INVALID_INPUT', { field, reason: 'the value is not valid' });
  const [kind, message] = constraint;
  const value: unknown = first.value;
  const isOfElements = message.startsWith('each value');
  if (value === undefined && (TYPE_RULES.has(kind) || TEXT_RULES.has(kind))) {
    return fail('INVALID_INPUT', { field, reason: 'is required' });
  }
  if (TEXT_RULES.has(kind) && !isOfElements && typeof value !== 'string') {
    return fail('INVALID_INPUT', { field, reason: 'must be a text' });
  }
  return fail('INVALID_INPUT', { field, reason: reasonOf(kind, message, first.property) });
}

const TYPE_RULES: ReadonlySet<string> = new Set([
  'isString',
  'isInt',
  'isNumber',
  'isBoolean',
  'isArray',
  'isObject',
  'isDate',
]);

/** Rules that only a text can satisfy. */
const TEXT_RULES: ReadonlySet<string> = new Set([
  'isString',
  'isLength',
  'minLength',
  'maxLength',
  'matches',
  'isEmailAddress',
]);

/** Messages of class-validator, and the messages that callers receive instead. */
const WORDINGS: readonly (readonly [RegExp, string])[] = [
  [/^should not be empty$/, 'must not be empty'],
  [/^must be longer than or equal to 1 characters$/, 'must not be empty'],
  [/^must be longer than or equal to (\d+) characters$/, 'must have at least $1 characters'],
  [/^must be shorter than or equal to (\d+) characters$/, 'must have at most $1 characters'],
  [
    /^must be longer than or equal to (\d+) and shorter than or equal to (\d+) characters$/,
    'must have $1 to $2 characters',
  ],
  [/^must be an integer number$/, 'must be a whole number'],
  [/^must be a boolean value$/, 'must be true or false'],
  [/^must be a string$/, 'must be a text'],
];

/** What is wrong with a field, without its name, which the error puts in front. */
function reasonOf(kind: string, message: string, property: string): string {
  if (kind === 'isDate') return 'must be a date and time such as 2030-01-31T12:00:00Z';
  const bare = message.replace(`each value in ${property} `, 'each value ');
  const reason = bare.startsWith(`${property} `) ? bare.slice(property.length + 1) : bare;
  const wording = WORDINGS.find(([pattern]) => pattern.test(reason));
  return wording ? reason.replace(wording[0], wording[1]) : reason;
}
