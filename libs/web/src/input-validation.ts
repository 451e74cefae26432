import { ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';

import { type AppError, fail } from '#libs/errors';

/** Checks input against its DTO: what that does not name is refused, and the answer names the field. */
export function inputValidation(): ValidationPipe {
  return new ValidationPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    transform: true,
    exceptionFactory: (errors) => errorOf(errors),
  });
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
