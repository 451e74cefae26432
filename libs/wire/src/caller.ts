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

/** The credentials of a request, as far as they can be read without the database. */
export type Credential =
  /** `isRefused`: the request carried something that is not a credential of the project. */
  | { readonly kind: 'none'; readonly isRefused?: true }
  /** A session token without its signature. The lookup sets `isRefused` if no session has the token. */
  | { readonly kind: 'session'; readonly token: string; isRefused?: true }
  /** A user's API key as its hash: base64url of SHA-256, without padding. */
  | {
      readonly kind: 'api-key';
      readonly keyHash: string;
      /** Whether this use was already counted: the last allowed use leaves none and is still valid. */
      readonly isCounted: boolean;
      /** Set by the lookup if the key is not valid. */
      isRefused?: true;
    }
  /** The subject of another issuer's token, which was verified. */
  | {
      readonly kind: 'third-party';
      readonly subject: string;
      /** The claims that policies see: the text of a JSON object. */
      readonly claims: string;
    }
  | { readonly kind: 'secret-key' }
  | { readonly kind: 'impersonated-user'; readonly userId: string }
  | { readonly kind: 'impersonated-anon' }
  | { readonly kind: 'operator'; readonly operator: OperatorCredential };

/**
 * The user of a request, read from the database at the time of the request; for another issuer's token, from the token.
 */
export interface CallerUser {
  readonly id: string;
  /** Empty if another issuer's token has none. */
  readonly email: string;
  readonly role: string;
  readonly isAnonymous: boolean;
  /** Only for callers with a session. */
  readonly sessionId?: string;
  /** Present when the user has a second factor and this request is of the level `aal1`. */
  readonly lacksSecondFactor?: true;
}

/** The caller of a request: its credential after the lookup in the database. */
export type Caller =
  | { readonly role: 'anon'; readonly via: 'none' | 'impersonation' }
  | {
      readonly role: 'authenticated';
      /** A caller with `third-party` has no row in the table of users. */
      readonly via: 'session' | 'impersonation' | 'api-key' | 'third-party';
      readonly user: CallerUser;
    }
  | { readonly role: 'service_role'; readonly via: 'secret-key' }
  | {
      readonly role: 'service_role';
      readonly via: 'operator';
      readonly operator: OperatorCredential;
    };

/** The settings of a project about administrators. */
export interface AdminRules {
  /** Whether users with a second factor must pass it before they administer. */
  readonly asksSecondFactor: boolean;
}

/**
 * Returns how far the caller may administer the project. The secret key, operators and signed-in users with the role
 * ADMIN are administrators; a user with a second factor becomes one when the session is raised to `aal2`. An API key
 * acts for its user on data alone: programs that administer use the secret key.
 */
export function adminStanding(
  caller: Caller,
  { asksSecondFactor }: AdminRules,
): 'admin' | 'lacks-second-factor' | 'no-admin' {
  if (caller.role === 'service_role') return 'admin';
  if (caller.role === 'anon' || caller.via === 'api-key') return 'no-admin';
  const { user } = caller;
  if (user.role !== 'ADMIN') return 'no-admin';
  return asksSecondFactor && user.lacksSecondFactor ? 'lacks-second-factor' : 'admin';
}

/** Whether the request carried an invalid credential: it runs as `anon`, and its answer says so. */
export function isRefused(credential: Credential): boolean {
  return 'isRefused' in credential && credential.isRefused === true;
}
