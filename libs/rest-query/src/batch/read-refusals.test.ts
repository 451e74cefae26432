import { describe, expect, test } from 'vitest';
import { AppError } from '#libs/errors';

import { readBatch } from './read-batch.js';
import { finish } from '#libs/steps';

/** The refusal of a body, a text or a value, as its code and message. */
function refusal(body: unknown): string {
  try {
    finish(readBatch(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), {}));
  } catch (error) {
    if (error instanceof AppError && error.status === 400) return `${error.code} ${error.message}`;
    throw error;
  }
  throw new Error('the batch was accepted');
}

describe('mistakes of the body name the field', () => {
  const post = { method: 'POST', model: 't', body: {} };
  test.each([
    { name: 'no body', body: '', error: 'PGRST102' },
    { name: 'no JSON', body: '{', error: 'PGRST102' },
    { name: 'no object', body: 5, error: 'INVALID_INPUT body:' },
    { name: 'a list without an object around it', body: [post], error: 'INVALID_INPUT body:' },
    { name: 'no operations', body: {}, error: 'INVALID_INPUT operations:' },
    {
      name: 'operations that are no list',
      body: { operations: {} },
      error: 'INVALID_INPUT operations:',
    },
    {
      name: 'another field beside',
      body: { operations: [post], x: 1 },
      error: 'UNKNOWN_FIELD Unknown field: x',
    },
  ])('$name', ({ body, error }) => {
    expect(refusal(body)).toContain(error);
  });
});

test('at most 100 operations', () => {
  const post = { method: 'POST', model: 't', body: {} };
  const hundred = JSON.stringify({ operations: Array(100).fill(post) });
  expect(finish(readBatch(Buffer.from(hundred), {}))).toHaveLength(100);
  expect(refusal({ operations: Array(101).fill(post) })).toMatch(/^PGRST100 .*operations has more/);
  expect(refusal({ operations: [] })).toMatch(/^PGRST100 .*operations is empty/);
});

test.each(['GET', 'HEAD'])('a read operation is refused with 400: %s', (method) => {
  const operations = [
    { method: 'DELETE', model: 't', query: 'id=eq.1' },
    { method, model: 't' },
  ];
  expect(refusal({ operations })).toMatch(/^PGRST100 .*operations\[1\]\.method reads/);
});

describe('mistakes of an operation name the field', () => {
  const post = { method: 'POST', model: 't', body: {} };
  const patch = { method: 'PATCH', model: 't', body: {}, query: 'id=eq.1' };
  test.each([
    { name: 'no object', operations: [post, null], error: 'INVALID_INPUT operations[1]:' },
    {
      name: 'an unknown field',
      operations: [{ ...post, x: 1 }],
      error: 'UNKNOWN_FIELD Unknown field: operations[0].x',
    },
    {
      name: 'no method',
      operations: [{ model: 't' }],
      error: 'INVALID_INPUT operations[0].method:',
    },
    ...['PUT', 'patch', 'get', 'insert', 5].map((method) => ({
      name: `the method ${method}`,
      operations: [post, { ...post, method }],
      error: 'INVALID_INPUT operations[1].method: must be one of POST, PATCH, DELETE',
    })),
    {
      name: 'no model',
      operations: [{ method: 'DELETE' }],
      error: 'INVALID_INPUT operations[0].model:',
    },
    {
      name: 'an empty model',
      operations: [{ method: 'DELETE', model: '' }],
      error: 'INVALID_INPUT operations[0].model:',
    },
    {
      name: 'no body of a POST',
      operations: [{ method: 'POST', model: 't' }],
      error: 'INVALID_INPUT operations[0].body:',
    },
    {
      name: 'no body of a PATCH',
      operations: [{ method: 'PATCH', model: 't' }],
      error: 'INVALID_INPUT operations[0].body:',
    },
    {
      name: 'a body of a DELETE',
      operations: [{ method: 'DELETE', model: 't', body: {} }],
      error: 'INVALID_INPUT operations[0].body:',
    },
    {
      name: 'several rows of a PATCH',
      operations: [{ ...patch, body: [{}] }],
      error: 'INVALID_INPUT operations[0].body:',
    },
    {
      name: 'a row that is no object',
      operations: [{ ...post, body: [{}, 1] }],
      error: 'INVALID_INPUT operations[0].body:',
    },
    {
      name: 'a match of a POST',
      operations: [{ ...post, match: {} }],
      error: 'INVALID_INPUT operations[0].match:',
    },
    {
      name: 'a match that is no object',
      operations: [{ ...patch, match: [] }],
      error: 'INVALID_INPUT operations[0].match:',
    },
    {
      name: 'a match with a list',
      operations: [{ ...patch, match: { a: [1] } }],
      error: 'INVALID_INPUT operations[0].match.a:',
    },
    {
      name: 'a query that is no text',
      operations: [{ ...patch, query: 5 }],
      error: 'INVALID_INPUT operations[0].query:',
    },
    {
      name: 'a filter that is no text',
      operations: [{ ...patch, query: { id: 5 } }],
      error: 'INVALID_INPUT operations[0].query:',
    },
    {
      name: 'a query that is not Unicode',
      operations: [{ ...patch, query: 'a=eq.\ud800' }],
      error: 'INVALID_INPUT operations[0].query:',
    },
    {
      name: 'an unknown resolution',
      operations: [{ ...post, resolution: 'x' }],
      error: 'INVALID_INPUT operations[0].resolution:',
    },
    {
      name: 'a resolution of a PATCH',
      operations: [{ ...patch, resolution: 'merge-duplicates' }],
      error: 'INVALID_INPUT operations[0].resolution:',
    },
    {
      name: 'an unknown missing',
      operations: [{ ...post, missing: 1 }],
      error: 'INVALID_INPUT operations[0].missing:',
    },
    {
      name: 'a name that is a number',
      operations: [{ ...post, as: '7' }],
      error: 'INVALID_INPUT operations[0].as:',
    },
    {
      name: 'a name twice',
      operations: [
        { ...post, as: 'a' },
        { ...post, as: 'a' },
      ],
      error: 'INVALID_INPUT operations[1].as:',
    },
    {
      name: 'an empty name',
      operations: [{ ...post, as: '' }],
      error: 'INVALID_INPUT operations[0].as:',
    },
  ])('$name', ({ operations, error }) => {
    expect(refusal({ operations })).toContain(error);
  });
});
