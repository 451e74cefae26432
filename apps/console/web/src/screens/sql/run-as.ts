import type { RunAs } from './queries.js';

/** Whom the next run is for, as the operator has chosen. */
export type RunAsChoice =
  | { readonly kind: 'self' }
  | { readonly kind: 'role'; readonly role: 'anon' | 'authenticated' | 'service_role' }
  | { readonly kind: 'user'; readonly userId: string; readonly name: string }
  | {
      readonly kind: 'claims';
      readonly role: 'anon' | 'authenticated' | 'service_role';
      readonly claims: Readonly<Record<string, unknown>>;
    };

/** What is sent; undefined: the operator's own rights. */
export function runAsOf(choice: RunAsChoice): RunAs | undefined {
  switch (choice.kind) {
    case 'self':
      return undefined;
    case 'role':
      return { role: choice.role };
    case 'user':
      return { userId: choice.userId };
    case 'claims':
      return { role: choice.role, claims: { ...choice.claims } };
  }
}

/** The choice in words. `isOwner`: whether the operator's own rights are those of the owner. */
export function runAsName(choice: RunAsChoice, isOwner: boolean): string {
  switch (choice.kind) {
    case 'self':
      return isOwner ? 'owner' : 'service_role';
    case 'role':
      return choice.role;
    case 'user':
      return choice.name;
    case 'claims':
      return `${choice.role} with claims`;
  }
}
