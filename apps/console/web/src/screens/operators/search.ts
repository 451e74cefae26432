// What the address of the screen says: which part of it, which operators and projects, and who is open.
import { searchText } from '../../shell/search-text.js';
import { type Capability, capabilityNames } from './capabilities.js';

export const tabs = ['people', 'access', 'invitations', 'organizations'] as const;
export type Tab = (typeof tabs)[number];

export const states = ['active', 'disabled', 'admin', 'no-second-factor'] as const;
export type StateFilter = (typeof states)[number];

export const parts = ['access', 'sessions', 'account'] as const;
export type Part = (typeof parts)[number];

/** Undefined: as if the address did not say it. */
export interface OperatorsSearch {
  /** The operators themselves unless it is given. */
  readonly tab?: Tab | undefined;
  /** Part of the name or address of operators. */
  readonly q?: string | undefined;
  /** Part of the name or ref of projects; of the matrix. */
  readonly project?: string | undefined;
  /** The id of an organization. */
  readonly organization?: string | undefined;
  readonly state?: StateFilter | undefined;
  /** Of the matrix: where operators have it. */
  readonly capability?: Capability | undefined;
  /** The id of the operator whose details are open. */
  readonly open?: string | undefined;
  /** The part of the details; the access unless it is given. */
  readonly part?: Part | undefined;
  readonly dialog?: 'invite' | undefined;
}

/** The parameters that are valid. The others are undefined: what is left out is taken from the address as it is. */
export function readSearch(given: Record<string, unknown>): OperatorsSearch {
  const text = (name: string): string | undefined => searchText(given[name]);
  const among = <T extends string>(name: string, known: readonly T[]): T | undefined =>
    known.find((each) => each === given[name]);
  return {
    tab: tabs.find((each) => each === given['tab'] && each !== 'people'),
    q: text('q'),
    project: text('project'),
    organization: text('organization'),
    state: among('state', states),
    capability: among('capability', capabilityNames),
    open: text('open'),
    part: parts.find((each) => each === given['part'] && each !== 'access'),
    dialog: given['dialog'] === 'invite' ? 'invite' : undefined,
  };
}
