// What the address of the screen says: which organizations, on which page, and which of them is open.
import { searchText } from '../../shell/search-text.js';

/** Undefined: as if the address did not say it. */
export interface OrganizationsSearch {
  /** Part of a name, a slug or an id. */
  readonly q?: string | undefined;
  /** `none`: those without an owner alone. */
  readonly owner?: 'none' | undefined;
  /** From 2. */
  readonly page?: number | undefined;
  /** The id of the organization whose members are shown. */
  readonly open?: string | undefined;
  /** The page of its members, from 2. */
  readonly members?: number | undefined;
  /** The page of its invitations, from 2. */
  readonly invitations?: number | undefined;
}

/** Changes some parameters of the address. What is typed makes no history: it is not a step to go back to. */
export type ChangeSearch = (
  change: OrganizationsSearch,
  how?: { readonly isTyped?: boolean },
) => void;

/** The parameters that are valid. */
export function readSearch(given: Record<string, unknown>): OrganizationsSearch {
  return {
    q: searchText(given['q']),
    owner: given['owner'] === 'none' ? 'none' : undefined,
    page: pageIn(given['page']),
    open: searchText(given['open']),
    members: pageIn(given['members']),
    invitations: pageIn(given['invitations']),
  };
}

function pageIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 1 ? value : undefined;
}
