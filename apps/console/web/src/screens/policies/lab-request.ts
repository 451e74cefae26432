// The form of the lab as a request to the API, or the fields that are wrong.
import { isRecord } from '../../api/json.js';
import type { PoliciesSearch } from './search.js';

/** A request that can be sent, or what keeps it from that. */
export type LabRequest =
  | { readonly kind: 'ready'; readonly as: object; readonly request: object }
  | { readonly kind: 'unready'; readonly problem: string };

/** `keyText` is not in the address. */
export function labRequestOf(search: PoliciesSearch, keyText: string): LabRequest {
  try {
    return { kind: 'ready', as: callerOf(search, keyText), request: requestOf(search) };
  } catch (error) {
    if (error instanceof Unready) return { kind: 'unready', problem: error.message };
    throw error;
  }
}

class Unready extends Error {}

function callerOf(
  { as = 'anon', user, role = 'authenticated', claims, keyId }: PoliciesSearch,
  keyText: string,
): object {
  switch (as) {
    case 'anon':
      return { kind: 'anon' };
    case 'user':
      return { kind: 'user', userId: required(user, 'Choose a user.') };
    case 'claims':
      return { kind: 'claims', role, claims: objectOf(claims ?? '{}', 'The claims') };
    case 'key':
      return keyText.trim() === ''
        ? { kind: 'key', keyId: required(keyId, 'Enter a key, or the id of one.') }
        : { kind: 'key', key: keyText.trim() };
  }
}

function requestOf(search: PoliciesSearch): object {
  const {
    do: kind = 'select',
    table,
    query = '',
    values,
    fn,
    bucket,
    key,
    access = 'read',
  } = search;
  switch (kind) {
    case 'select':
    case 'delete':
      return { kind, table: required(table, 'Choose a table.'), query };
    case 'insert':
      return { kind, table: required(table, 'Choose a table.'), values: rowsOf(values ?? '{}') };
    case 'update':
      return {
        kind,
        table: required(table, 'Choose a table.'),
        query,
        values: rowsOf(values ?? '{}'),
      };
    case 'rpc':
      return {
        kind,
        function: required(fn, 'Enter the name of a function.'),
        arguments: objectOf(values ?? '{}', 'The arguments'),
      };
    case 'file':
      return {
        kind,
        access,
        bucket: required(bucket, 'Enter a bucket.'),
        key: required(key, 'Enter the path of a file.'),
      };
  }
}

function required(value: string | undefined, problem: string): string {
  if (value !== undefined && value !== '') return value;
  throw new Unready(problem);
}

function objectOf(text: string, what: string): object {
  const value = jsonOf(text, what);
  if (isRecord(value)) return value;
  throw new Unready(`${what} must be a JSON object.`);
}

function rowsOf(text: string): object {
  const value = jsonOf(text, 'The values');
  if (typeof value === 'object' && value !== null) return value;
  throw new Unready('The values must be a JSON object or a list of them.');
}

function jsonOf(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new Unready(`${what} must be JSON.`);
    throw error;
  }
}
