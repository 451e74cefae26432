import { describe, expect, test } from 'vitest';

import { AppError, fail } from './app-error.js';
import { databaseError } from './sqlstate.js';
import { fromOutage, isOutage } from './outage.js';

const coded = (code: string, message = 'x') => Object.assign(new Error(message), { code });
const named = (name: string) => Object.assign(new Error('x'), { name });

describe('an outage', () => {
  const states = ['08000', '08001', '08003', '08006', '53300', '57P01', '57P02', '57P03', '57P05'];
  const faults = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN'];

  test.each([...states, ...faults])('is an error with the code %s', (code) => {
    expect(isOutage(coded(code))).toBe(true);
    expect(isOutage(Object.assign(new Error('x'), { driverError: coded(code) }))).toBe(true);
  });

  test.each(['ENOENT', 'EAGAIN'])('is %s of a Unix socket that does not connect', (code) => {
    expect(isOutage(Object.assign(coded(code), { syscall: 'connect' }))).toBe(true);
    expect(isOutage(Object.assign(coded(code), { syscall: 'open' }))).toBe(false);
  });

  test.each([
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'Cannot use a pool after calling end on the pool',
    'Driver not Connected',
    'Connection with postgres database is not established. Check connection configuration.',
    'the database system is starting up',
    'the database system is in recovery mode',
    'the database system is shutting down',
    'the database system is not yet accepting connections',
  ])('is the error %j of a driver', (message) => {
    expect(isOutage(new Error(message))).toBe(true);
  });

  test.each([
    'QueryRunnerAlreadyReleasedError',
    'QueryRunnerProviderAlreadyReleasedError',
    'TransactionNotStartedError',
  ])('is %s: the connection was lost between two statements', (name) => {
    expect(isOutage(named(name))).toBe(true);
  });

  test('is answered with 503 that names the reason', () => {
    const cause = coded('ECONNREFUSED');
    expect(fromOutage(cause)).toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      status: 503,
      details: { reason: 'disconnected' },
      retryAfterSeconds: 1,
      cause,
    });
    expect(databaseError({ code: '57P01', message: 'x' })).toMatchObject({
      status: 503,
      details: { reason: 'disconnected' },
    });
  });
});

describe('no outage', () => {
  test.each([
    { name: 'a violated constraint', thrown: coded('23505') },
    { name: 'a cancelled statement', thrown: coded('57014') },
    { name: 'a full disk', thrown: coded('53100') },
    { name: 'a missing file', thrown: coded('ENOENT') },
    {
      name: 'words of a statement that failed',
      thrown: coded('P0001', 'Connection terminated'),
    },
    { name: 'a call of another server', thrown: new TypeError('fetch failed') },
    { name: 'a text', thrown: 'Connection terminated' },
    { name: 'nothing', thrown: undefined },
  ])('is $name', ({ thrown }) => {
    expect(isOutage(thrown)).toBe(false);
    expect(fromOutage(thrown)).toBe(thrown);
  });

  test('is an error of ours, which stays as it is', () => {
    const error = fail('NOT_FOUND', { path: '/' });
    expect(fromOutage(error)).toBe(error);
    expect(error).toBeInstanceOf(AppError);
  });
});
