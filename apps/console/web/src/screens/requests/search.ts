// What the address of the screen says: which requests, whether they are followed, and which of them is open.
import { searchText } from '../../shell/search-text.js';

const lists = ['failed', 'slow'] as const;
export const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const;
export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export const callers = [
  'none',
  'session',
  'api-key',
  'third-party',
  'secret-key',
  'impersonated-user',
  'impersonated-anon',
  'operator',
] as const;

export type StatusClass = (typeof statusClasses)[number];
export type CallerKind = (typeof callers)[number];

/** Undefined: as if the address did not say it. */
export interface RequestsSearch {
  /** The list that is shown: the last requests unless it is given. */
  readonly list?: (typeof lists)[number] | undefined;
  readonly status?: StatusClass | undefined;
  readonly method?: (typeof methods)[number] | undefined;
  readonly caller?: CallerKind | undefined;
  /** Part of a path, a code, or an id of a request or a user. */
  readonly q?: string | undefined;
  /** The list is followed unless it is given. */
  readonly live?: 'off' | undefined;
  /** The request whose details are shown, as `addressOf` names it. */
  readonly open?: string | undefined;
}

/** Changes some parameters of the address. What is typed makes no history: it is not a step to go back to. */
export type ChangeSearch = (change: RequestsSearch, how?: { readonly isTyped?: boolean }) => void;

/** The parameters that are valid. */
export function readSearch(given: Record<string, unknown>): RequestsSearch {
  const among = <T extends string>(name: string, known: readonly T[]): T | undefined =>
    known.find((each) => each === given[name]);
  return {
    list: among('list', lists),
    status: among('status', statusClasses),
    method: among('method', methods),
    caller: among('caller', callers),
    q: searchText(given['q']),
    live: given['live'] === 'off' ? 'off' : undefined,
    open: searchText(given['open']),
  };
}

export const filterNames = ['status', 'method', 'caller', 'q'] as const;

/** Without filters. The list stays the same. */
export const noFilters: RequestsSearch = {
  status: undefined,
  method: undefined,
  caller: undefined,
  q: undefined,
};

export function hasFilters(search: RequestsSearch): boolean {
  return filterNames.some((name) => search[name] !== undefined);
}
