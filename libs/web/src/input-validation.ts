import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import { getMetadataStorage, type ValidationError } from 'class-validator';

import { type AppError, fail } from '#libs/errors';

/** Checks input against its DTO: what that does not name is refused, and the answer names the field. */
export function inputValidation(): ValidationPipe {
  return new InputValidation({
    whitelist: true,
    forbidNonWhitelisted: true,
    transform: true,
    exceptionFactory: (errors) => errorOf(errors),
  });
}

class InputValidation extends ValidationPipe {
  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'body') refuseUnknown(value, metadata.metatype);
    return super.transform(value, metadata);
  }
}

/**
 * Throws UNKNOWN_FIELD for the first field that the DTO does not name. The validator refuses it too, but only after
 * it has worked on all fields, in time that grows with the square of their number.
 */
function refuseUnknown(value: unknown, dto: ArgumentMetadata['metatype']): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const known = dto && fieldsOf(dto);
  if (!known || known.size === 0) return;
  const unknown = Object.keys(value).find((field) => !known.has(field));
  if (unknown !== undefined) throw fail('UNKNOWN_FIELD', { field: unknown });
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
  const [reason = 'the value is not valid'] = Object.values(constraints);
  return fail('INVALID_INPUT', { field, reason });
}
