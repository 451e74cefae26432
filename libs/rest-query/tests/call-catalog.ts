// Functions of every kind, and how a call of them is planned.
import { AppError } from '#libs/errors';
import { catalogOf, routine, table, valueType } from '../../catalog/tests/build-catalog.js';
import type { CallPlan } from '../src/types/plan.js';
import { planOf } from './plan-of.js';
import { LIMITS, type Request } from './run-request.js';

const people = table('people', { columns: ['id int', 'name text'], primaryKey: ['id'] });
const rows = (name: string | undefined, isSet: boolean) =>
  ({ kind: 'rows', isSet, table: name, columns: people.columns }) as const;

const catalog = catalogOf(
  [people, table('session', { columns: ['id int'] })],
  [
    routine('add', ['a integer', 'b integer default']),
    routine('add', ['a integer', 'c integer default']),
    routine('add', ['a integer', 'b integer default', 'd text']),
    routine('twice', ['a integer']),
    routine('twice', ['a text']),
    routine('exact', ['a integer']),
    routine('exact', ['a integer', 'b integer default']),
    routine('total', ['first integer', 'variadic rest integer[]']),
    routine('mixed', ['a integer']),
    routine('mixed', ['variadic rest integer[]']),
    routine('nameless', ['json']),
    routine('nameless', ['text']),
    routine('nameless', ['bytea']),
    routine('either', ['jsonb']),
    routine('either', ['a integer']),
    routine('either', []),
    routine('named_json', ['data json']),
    routine('half', ['a integer', 'integer']),
    routine('half_default', ['a integer', 'integer default']),
    routine('numbers', [], {
      returns: { kind: 'scalar', isSet: true, ...valueType('integer') },
      volatility: 'stable',
    }),
    routine('work', [], { returns: { kind: 'void' } }),
    routine('all_people', [], { returns: rows('people', true) }),
    routine('one_person', [], { returns: rows('people', false), volatility: 'immutable' }),
    routine('people', [], { returns: rows(undefined, true) }),
    routine('owned', [], { isDefiner: true }),
    routine('owned', [], { isDefiner: true, schema: 'api' }),
    routine('ping', [], { schema: 'api' }),
  ],
);

/** The plan of a call. */
export function planCallOf(request: Request, limits = LIMITS): CallPlan {
  const planned = planOf(catalog, request, limits);
  if (planned.kind !== 'call') throw new Error('this is no call');
  return planned;
}

export const getCall = (name: string, queryString = '') =>
  planCallOf({ function: name, queryString });
export const postCall = (name: string, body: string, headers: Request['headers'] = {}) =>
  planCallOf({ function: name, method: 'POST', body, headers });

/** The error of a call that is refused. */
export function callRefusal(request: Request): AppError {
  try {
    planCallOf(request);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('it is not refused');
}
