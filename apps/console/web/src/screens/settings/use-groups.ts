import { createContext, useContext } from 'react';

import type { GroupForm } from './form.js';

/** Whether people can make an account themselves; the overview says it beside the ways to sign in. */
export const signUpGroup = 'auth.signup';

const GroupsContext = createContext<readonly GroupForm[]>([]);

export const GroupsProvider = GroupsContext.Provider;

/** The groups that the operator may read and write. */
export function useGroups(): readonly GroupForm[] {
  return useContext(GroupsContext);
}

export function mayUse(capabilities: readonly string[], capability: string): boolean {
  return capabilities.includes(capability);
}
