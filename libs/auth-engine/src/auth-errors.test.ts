import { expect, test } from 'vitest';
import { databaseError, fail } from '#libs/errors';
import { showable, violates } from './auth-errors.js';

test.each([
  { name: 'an error of ours', thrown: fail('PROJECT_BUSY'), code: 'PROJECT_BUSY' },
  {
    name: 'a database that is away',
    thrown: databaseError({ code: '08006', message: 'connection failure' }),
    code: 'DATABASE_UNAVAILABLE',
  },
  {
    name: 'a statement that failed',
    thrown: databaseError({ code: '42P01', message: 'relation "auth.session" does not exist' }),
    code: 'INTERNAL_ERROR',
  },
  { name: 'an unknown failure', thrown: new Error('details'), code: 'INTERNAL_ERROR' },
])('$name is shown as $code', ({ thrown, code }) => {
  expect(showable(thrown).code).toBe(code);
});

test('a violated constraint is found behind the error that hides it', () => {
  const cause = Object.assign(new Error('duplicate key'), { constraint: 'user_email_key' });
  const error = databaseError({ code: '23505', message: 'duplicate key' }, cause);
  expect(violates(error, 'user_email_key')).toBe(true);
  expect(violates(error, 'user_username_key')).toBe(false);
  expect(violates(undefined, 'user_email_key')).toBe(false);
});
