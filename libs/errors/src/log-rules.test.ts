import { expect, test } from 'vitest';
import { fail } from './index.js';
import { loggedError, logRules } from './log-rules.js';

test('an error is logged with its causes and without what it carries besides', () => {
  const query = Object.assign(new Error('violates a constraint'), { detail: 'Failing row: (ada)' });
  const logged = loggedError(
    fail('CONFLICT', { reason: 'taken' }, { cause: query, details: 'ada' }),
  );
  expect(logged).toMatchObject({ type: 'AppError', code: 'CONFLICT', status: 409 });
  expect(logged.message).toMatch(/taken: violates a constraint$/);
  expect(logged.stack).toContain('caused by: Error: violates a constraint');
  expect(JSON.stringify(logged)).not.toContain('ada');
});

test.each(['a text', 7, null, undefined, { secret: 'x' }])('%j is no error', (thrown) => {
  const message = typeof thrown === 'string' ? thrown : '';
  expect(loggedError(thrown)).toEqual({ type: typeof thrown, message, stack: '' });
});

test('a chain of causes that has no end is cut', () => {
  const error = new Error('circle');
  error.cause = error;
  expect(loggedError(error).stack.match(/caused by/g)?.length).toBeLessThan(10);
});

test('a secret key or the secret of a hook is cut in any line', () => {
  const line = 'filter "svc_secret_a-b_C9" and whsec_aGk+/w== end';
  expect(logRules.hooks.streamWrite(line)).toBe('filter "svc_secret_…" and whsec_… end');
});
