/** The database role that a request runs as. */
export type DatabaseRole = 'anon' | 'authenticated' | 'service_role';

/** What an operator may do, per organization or per project. */
export const CAPABILITIES = [
  'projects.manage',
  'members.manage',
  'settings.manage',
  'secrets.manage',
  'content.read',
  'content.write',
  'imports.run',
  'audit.read',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** The operator behind a request that came through the console's proxy. */
export interface OperatorCredential {
  readonly operatorId: string;
  readonly email: string;
  readonly capabilities: readonly Capability[];
}

/** What a request shows of itself before the database was asked. */
export type Credential =
  | { readonly kind: 'none' }
  /** A session token without its signature. */
  | { readonly kind: 'session'; readonly token: string }
  | { readonly kind: 'secret-key' }
  | { readonly kind: 'impersonated-user'; readonly userId: string }
  | { readonly kind: 'impersonated-anon' }
  | { readonly kind: 'operator'; readonly operator: OperatorCredential };

/** The user of a request, read live from the database. */
export interface CallerUser {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly isAnonymous: boolean;
  /** Absent when the user is impersonated. */
  readonly sessionId?: string;
}

/** Who makes the request: its credential after the database was asked. */
export type Caller =
  | { readonly role: 'anon'; readonly via: 'none' | 'impersonation' }
  | {
      readonly role: 'authenticated';
      readonly via: 'session' | 'impersonation';
      readonly user: CallerUser;
    }
  | { readonly role: 'service_role'; readonly via: 'secret-key' }
  | {
      readonly role: 'service_role';
      readonly via: 'operator';
      readonly operator: OperatorCredential;
    };

/** Whether the caller administers the project: secret key, operator or a signed-in user of role ADMIN. */
export function isAdmin(caller: Caller): boolean {
  return (
    caller.role === 'service_role' ||
    (caller.role === 'authenticated' && caller.user.role === 'ADMIN')
  );
}
