import { ValidateIf } from 'class-validator';

/** The field may be left out. Null is a value like any other, and mostly a wrong one. */
export function Given(): PropertyDecorator {
  return ValidateIf((_body: object, value: unknown) => value !== undefined);
}
