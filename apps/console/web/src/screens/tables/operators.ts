// The operators of filters by the names of the REST API. Every address of a table is read with them, so nothing else
// of the screen is here: the first page of the console has this file.

export const operators = [
  { name: 'eq', words: 'is' },
  { name: 'neq', words: 'is not' },
  { name: 'gt', words: 'is above' },
  { name: 'gte', words: 'is at least' },
  { name: 'lt', words: 'is below' },
  { name: 'lte', words: 'is at most' },
  { name: 'in', words: 'is one of' },
  { name: 'ilike', words: 'is like' },
  { name: 'not.ilike', words: 'is not like' },
  { name: 'imatch', words: 'matches' },
  { name: 'is', words: 'is' },
  { name: 'cs', words: 'contains' },
  { name: 'ov', words: 'overlaps' },
] as const;
export type Operator = (typeof operators)[number]['name'];

/** Values of the operator `is`, and their words. */
export const isWords: Readonly<Record<string, string>> = {
  null: 'NULL',
  not_null: 'not NULL',
  true: 'true',
  false: 'false',
};
