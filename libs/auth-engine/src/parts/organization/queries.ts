// What the queries of organization routes may hold. The engine hands most of it to the database unseen.
import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';
import * as check from './checks.js';

type Query = Readonly<Record<string, unknown>>;
type IdType = 'text' | 'uuid';

const maxPage = 1000;
/** The engine reads this many users of an organization at once, and fails when a member's is not among them. */
const maxMembersAtOnce = 100;

const EQUALITY = ['eq', 'ne', 'in', 'not_in'] as const;
const ORDER = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] as const;
const PATTERNS = ['contains', 'starts_with', 'ends_with'] as const;

/** The fields that members may be filtered by, with the operators that their types have. */
const FILTERS: Readonly<Record<string, readonly string[]>> = {
  id: EQUALITY,
  userId: EQUALITY,
  role: [...EQUALITY, ...PATTERNS],
  createdAt: ORDER,
};

/** Refuses queries that the engine could not answer (INVALID_INPUT); gives the query to go on with. */
export function queryCheck(idType: IdType): (query: Query) => Query {
  const userId = check.userId(idType);
  const checks: Readonly<Record<string, check.Check>> = {
    organizationId: check.id,
    organizationSlug: check.shortText,
    teamId: check.id,
    id: check.id,
    userId,
    limit: check.wholeNumber(1, maxPage),
    offset: check.wholeNumber(0, 999_999_999),
    membersLimit: check.wholeNumber(1, maxMembersAtOnce),
    sortBy: check.oneOf(...Object.keys(FILTERS)),
    sortDirection: check.oneOf('asc', 'desc'),
    filterField: check.oneOf(...Object.keys(FILTERS)),
  };
  return (query) => {
    for (const [field, value] of Object.entries(query)) {
      const reason = Object.hasOwn(checks, field) ? checks[field]?.(value) : undefined;
      if (reason !== undefined) throw fail('INVALID_INPUT', { field, reason });
    }
    return filtered(query, userId);
  };
}

/** Lists of values arrive as one text or as several of the same name; the engine wants a list. */
function filtered(query: Query, userId: check.Check): Query {
  const { filterField, filterOperator = 'eq', filterValue } = query;
  if (typeof filterField !== 'string') return query;
  const operators = FILTERS[filterField] ?? [];
  const operatorReason = check.oneOf(...operators)(filterOperator);
  if (operatorReason !== undefined) {
    throw fail('INVALID_INPUT', { field: 'filterOperator', reason: operatorReason });
  }
  const isList = filterOperator === 'in' || filterOperator === 'not_in';
  const list: readonly unknown[] = Array.isArray(filterValue)
    ? filterValue
    : isList && typeof filterValue === 'string'
      ? filterValue.split(',')
      : [filterValue];
  const reason =
    isList || list.length === 1 ? valueReason(filterField, list, userId) : 'is one value';
  if (reason !== undefined) throw fail('INVALID_INPUT', { field: 'filterValue', reason });
  return { ...query, filterOperator, filterValue: isList ? list : single(filterField, list[0]) };
}

function valueReason(
  field: string,
  values: readonly unknown[],
  userId: check.Check,
): string | undefined {
  const rule = field === 'userId' ? userId : field === 'createdAt' ? instant : check.shortText;
  return values.map(rule).find((reason) => reason !== undefined);
}

/** The database reads dates in more ways than one; it is given the one that means the same everywhere. */
function single(field: string, value: unknown): unknown {
  return field === 'createdAt' ? new Date(String(value)).toISOString() : value;
}

const instant: check.Check = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value))
    ? undefined
    : 'must be a point in time as in ISO 8601';

/** Whether a value is a query; requests without one have an empty one. */
export function isQuery(value: unknown): value is Query {
  return isRecord(value);
}
