// What the address of the screen says: which users, in which order, on which page, and who is open.
import { searchText } from '../../shell/search-text.js';

/** How long ago something happened at most; the server reads the moment. */
export const periods = { day: 1, week: 7, month: 30 } as const;
export type Period = keyof typeof periods;

export const orders = [
  'createdAt.desc',
  'createdAt.asc',
  'lastSignInAt.desc',
  'lastSignInAt.asc',
  'name.asc',
  'name.desc',
  'email.asc',
  'email.desc',
] as const;
export type Order = (typeof orders)[number];
export const usualOrder: Order = 'createdAt.desc';

const kinds = ['user', 'admin', 'guest'] as const;
const states = ['active', 'inactive'] as const;
const signIns = ['never', ...keysOf(periods)] as const;
const dialogs = ['create', 'invite'] as const;

/** The parts of the details of a user. */
export const parts = [
  'overview',
  'identities',
  'sessions',
  'factors',
  'organizations',
  'keys',
  'audit',
] as const;
export type Part = (typeof parts)[number];

/** Undefined: as if the address did not say it. */
export interface UsersSearch {
  /** Part of a name, address, number or id. */
  readonly q?: string | undefined;
  readonly kind?: (typeof kinds)[number] | undefined;
  readonly status?: (typeof states)[number] | undefined;
  readonly provider?: string | undefined;
  readonly signedIn?: (typeof signIns)[number] | undefined;
  readonly created?: Period | undefined;
  /** The newest first unless it is given. */
  readonly sort?: Order | undefined;
  /** From 2. */
  readonly page?: number | undefined;
  /** The id of the user whose details are open. */
  readonly open?: string | undefined;
  /** The part of the details, the overview unless it is given. */
  readonly part?: Part | undefined;
  readonly dialog?: (typeof dialogs)[number] | undefined;
}

/** The parameters that are valid. The others are undefined: what is left out is taken from the address as it is. */
export function readSearch(given: Record<string, unknown>): UsersSearch {
  const text = (name: string): string | undefined => searchText(given[name]);
  const among = <T extends string>(name: string, known: readonly T[]): T | undefined =>
    known.find((each) => each === given[name]);
  const page = given['page'];
  return {
    q: text('q'),
    kind: among('kind', kinds),
    status: among('status', states),
    provider: text('provider'),
    signedIn: among('signedIn', signIns),
    created: among('created', keysOf(periods)),
    sort: orders.find((each) => each === given['sort'] && each !== usualOrder),
    page: typeof page === 'number' && Number.isInteger(page) && page > 1 ? page : undefined,
    open: text('open'),
    part: parts.find((each) => each === given['part'] && each !== 'overview'),
    dialog: among('dialog', dialogs),
  };
}

/** The parameters that choose among the users. */
export const filterNames = ['kind', 'status', 'provider', 'signedIn', 'created'] as const;
export type FilterName = (typeof filterNames)[number];

/** Whether the address asks for all users. */
export function isAll(search: UsersSearch): boolean {
  return (search.q ?? '').trim() === '' && filterNames.every((name) => search[name] === undefined);
}

function keysOf<T extends object>(table: T): readonly (keyof T & string)[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a constant table has the keys of its type alone
  return Object.keys(table) as (keyof T & string)[];
}
