import { expect, test } from '@jest/globals';
import { loggedError } from './logged-error.js';

test('a failed query is logged without its text and values', () => {
  const query = Object.assign(new TypeError('no connection'), {
    code: '08006',
    query: 'select … where token = $1',
    parameters: ['a token'],
    detail: 'Key (email)=(a@b.example)',
  });
  const logged = loggedError(new Error('failed', { cause: query }));
  expect(logged).toEqual({
    type: 'Error',
    message: 'failed',
    stack: expect.any(String),
    cause: {
      type: 'TypeError',
      message: 'no connection',
      code: '08006',
      stack: expect.any(String),
    },
  });
});

test('a circle of causes ends', () => {
  const error = new Error('circle');
  error.cause = error;
  expect(JSON.stringify(loggedError(error)).match(/circle/g)?.length).toBeGreaterThan(2);
});

test.each([undefined, null, 'text', 7])('%p is logged without what it says', (thrown) => {
  expect(loggedError(thrown)).toEqual({ type: typeof thrown, message: '', stack: '' });
});
