import { Matches } from 'class-validator';

/** A text of a request without the character NUL, which PostgreSQL does not store. */
export function WithoutNul(): PropertyDecorator {
  return Matches(/^[^\0]*$/, { message: '$property must not contain the character NUL' });
}
