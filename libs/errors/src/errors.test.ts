import { describe, expect, test } from 'vitest';

import { AppError, fail } from './app-error.js';
import { fromHttpFault } from './from-http.js';
import { renderError } from './render.js';
import { databaseError } from './sqlstate.js';

describe('an error', () => {
  test('is answered with what its row in the table says', () => {
    expect(renderError(fail('PGRST116', { rows: 3 }), 'r1')).toEqual({
      status: 406,
      headers: {},
      body: {
        message: 'Exactly one row was requested, but the result has 3',
        code: 'PGRST116',
        status: 406,
        requestId: 'r1',
      },
    });
  });

  test('of a line that shares its code with another is answered with that code', () => {
    expect(renderError(fail('EXPLAIN_REFUSED'), 'r1')).toMatchObject({
      status: 403,
      body: { code: 'PGRST103', message: 'Query plans are for administrators' },
    });
  });

  test('takes a value for each placeholder of its message, and no other', () => {
    // @ts-expect-error the value of {rows} is missing
    fail('PGRST116', {});
    // @ts-expect-error the message has no {row}
    fail('PGRST116', { row: 3 });
    // @ts-expect-error the message has no placeholders
    fail('PROJECT_BUSY', { rows: 3 });
    expect(fail('PGRST116', {}, { message: 'two rows' }).message).toBe('two rows');
  });

  test('carries details, a hint and when to try again', () => {
    const error = fail('PROJECT_BUSY', {}, { details: [1], hint: 'Wait.', retryAfterSeconds: 2 });
    const rendered = renderError(error, 'r1');
    expect(rendered.headers).toEqual({ 'retry-after': '2' });
    expect(rendered.body).toMatchObject({ details: [1], hint: 'Wait.' });
  });

  test.each([
    { name: 'a foreign error', thrown: new Error('password=secret in select 1') },
    { name: 'a text', thrown: 'secret' },
    { name: 'nothing', thrown: undefined },
  ])('$name tells the caller nothing', ({ thrown }) => {
    const rendered = renderError(thrown, 'r1');
    expect(rendered.status).toBe(500);
    expect(JSON.stringify(rendered)).not.toContain('secret');
  });

  test('keeps its cause for the log alone', () => {
    const error = fail('INTERNAL_ERROR', {}, { cause: new Error('secret') });
    expect(error.cause).toBeInstanceOf(Error);
    expect(JSON.stringify(renderError(error, 'r1'))).not.toContain('secret');
  });
});

describe('a SQLSTATE', () => {
  test.each([
    { state: '42501', status: 403, code: '42501' },
    { state: '23505', status: 409, code: '23505' },
    { state: '23503', status: 409, code: '23503' },
    { state: '23001', status: 409, code: '23001' },
    { state: '23514', status: 400, code: '23514' },
    { state: '23502', status: 400, code: '23502' },
    { state: '22P02', status: 400, code: '22P02' },
    { state: '22003', status: 400, code: '22003' },
    { state: '42P01', status: 404, code: '42P01' },
    { state: '42883', status: 404, code: '42883' },
    { state: '42703', status: 400, code: '42703' },
    { state: '25006', status: 405, code: '25006' },
    { state: 'P0001', status: 400, code: 'P0001' },
    { state: 'PT418', status: 418, code: 'PT418' },
    { state: '40001', status: 409, code: '40001' },
    { state: '0A000', status: 400, code: '0A000' },
    { state: '54000', status: 400, code: '54000' },
    { state: '54001', status: 500, code: '54001' },
    { state: '54023', status: 500, code: '54023' },
    { state: '57014', status: 504, code: 'PGRST504' },
    { state: '08006', status: 503, code: 'DATABASE_UNAVAILABLE' },
    { state: '53300', status: 503, code: 'DATABASE_UNAVAILABLE' },
    { state: '53400', status: 500, code: '53400' },
    { state: '57P01', status: 503, code: 'DATABASE_UNAVAILABLE' },
    { state: '28P01', status: 403, code: '28P01' },
    { state: 'XX000', status: 500, code: 'DATABASE_ERROR' },
    { state: '58030', status: 500, code: 'DATABASE_ERROR' },
    { state: '26000', status: 500, code: 'DATABASE_ERROR' },
    { state: 'HV000', status: 500, code: 'DATABASE_ERROR' },
    { state: 'F0000', status: 500, code: 'DATABASE_ERROR' },
    { state: 'ABCDE', status: 400, code: 'ABCDE' },
    { state: 'P0003', status: 500, code: 'P0003' },
    { state: 'P0004', status: 500, code: 'P0004' },
  ])('$state is $status $code', ({ state, status, code }) => {
    expect(databaseError({ code: state, message: 'm' })).toMatchObject({ status, code });
  });

  test('a denial has one sentence, whatever the database said', () => {
    const denied = databaseError({ code: '42501', message: 'permission denied for table users' });
    expect(denied.message).toBe('You do not have permission to perform this action.');
  });

  test('what the database says of the data is shown, what it says of itself is not', () => {
    const shown = databaseError({ code: '23505', message: 'duplicate', detail: 'd', hint: 'h' });
    expect(shown).toMatchObject({ message: 'duplicate', details: 'd', hint: 'h' });
    const hidden = databaseError({ code: 'XX000', message: 'secret', detail: 'secret' });
    expect(JSON.stringify(renderError(hidden, 'r'))).not.toContain('secret');
  });

  test('the lookup names errors of ours', () => {
    expect(databaseError({ code: 'PT403', message: 'USER_INACTIVE' })).toMatchObject({
      code: 'USER_INACTIVE',
      status: 403,
    });
  });
});

test('a reference of a batch that leads to no row is an error of ours', () => {
  expect(databaseError({ code: 'PT400', message: 'BATCH_REFERENCE_MISSING' })).toMatchObject({
    code: 'BATCH_REFERENCE_MISSING',
    status: 400,
  });
});

describe('a fault of the web framework', () => {
  const request = { method: 'GET', path: '/x', contentType: undefined, maxBodyBytes: 5 };
  test.each([
    { name: 'unknown path', thrown: { getStatus: () => 404 }, code: 'NOT_FOUND' },
    {
      name: 'large body',
      thrown: { code: 'FST_ERR_CTP_BODY_TOO_LARGE', statusCode: 413 },
      code: 'BODY_TOO_LARGE',
    },
    {
      name: 'media type',
      thrown: { code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' },
      code: 'UNSUPPORTED_MEDIA_TYPE',
    },
    { name: 'another 400', thrown: { statusCode: 400 }, code: 'INVALID_REQUEST' },
  ])('$name becomes $code', ({ thrown, code }) => {
    const error = fromHttpFault(thrown, request);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code });
  });

  test('what is not a fault of the client stays as it is', () => {
    const thrown = new Error('broken');
    expect(fromHttpFault(thrown, request)).toBe(thrown);
    expect(fromHttpFault({ statusCode: 500 }, request)).toEqual({ statusCode: 500 });
  });
});
