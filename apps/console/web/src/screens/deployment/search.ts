import { useNavigate, useSearch } from '@tanstack/react-router';

import { searchText } from '../../shell/search-text.js';
import type { DeploymentSearch } from './parameters.js';

export const tabs = ['overview', 'work', 'environment'] as const;
export type Tab = (typeof tabs)[number];

export const workStates = ['waiting', 'running', 'failed', 'done', 'undone'] as const;
export type WorkState = (typeof workStates)[number];

interface ReadSearch {
  readonly tab: Tab;
  /** Work in this state; undefined: all that is not finished. */
  readonly state: WorkState | undefined;
  /** Part of the name or the meaning of a variable. */
  readonly q: string;
  /** Variables that are set alone. */
  readonly isSetOnly: boolean;
}

/** What the address of the deployment says, read from what is valid in it. */
export function readSearch({ tab, state, q, only }: DeploymentSearch): ReadSearch {
  return {
    tab: tabs.find((known) => known === tab) ?? 'overview',
    state: workStates.find((known) => known === state),
    q: searchText(q) ?? '',
    isSetOnly: only === 'set',
  };
}

export function useDeploymentSearch(): ReadSearch {
  return readSearch(useSearch({ from: '/signed-in/deployment' }));
}

/** Changes some parameters of the address and keeps the others. */
export function useChangeSearch(): (change: DeploymentSearch, replace?: boolean) => void {
  const navigate = useNavigate({ from: '/deployment' });
  return (change, replace = false) =>
    void navigate({
      search: (before) => ({ ...before, ...change }),
      resetScroll: false,
      replace,
    });
}
