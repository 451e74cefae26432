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
  /** `isRefused`: something was shown that is no credential of the project. */
  | { readonly kind: 'none'; readonly isRefused?: true }
  /** A session token without its signature. The lookup sets `isRefused` when no session has the token. */
  | { readonly kind: 'session'; readonly token: string; isRefused?: true }
  /** A user's API key as its hash: base64url of SHA-256, without padding. */
  | {
      readonly kind: 'api-key';
      readonly keyHash: string;
      /** Whether this use was counted already: the last one leaves none and is still good. */
      readonly isCounted: boolean;
      /** Set by the lookup when the key is not valid. */
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

/** The user of a request, read live from the database; of another issuer's token, what that says. */
export interface CallerUser {
  readonly id: string;
  /** Empty when another issuer's token names none. */
  readonly email: string;
  readonly role: string;
  readonly isAnonymous: boolean;
  /** Only of callers with a session. */
  readonly sessionId?: string;
  /** Present when the user has a second factor and this request is of the level `aal1`. */
  readonly lacksSecondFactor?: true;
}

/** Who makes the request: its credential after the database was asked. */
export type Caller =
  | { readonly role: 'anon'; readonly via: 'none' | 'impersonation' }
  | {
      readonly role: 'authenticated';
      /** A caller by `third-party` has no row in the table of users. */
      readonly via: 'session' | 'impersonation' | 'api-key' | 'third-party';
      readonly user: CallerUser;
    }
  | { readonly role: 'service_role'; readonly via: 'secret-key' }
  | {
      readonly role: 'service_role';
      readonly via: 'operator';
      readonly operator: OperatorCredential;
    };

/** What the settings of a project say about administrators. */
export interface AdminRules {
  /** Whether users who have a second factor must give it before they administer. */
  readonly asksSecondFactor: boolean;
}

/**
 * Returns how far the caller may administer the project. The secret key, operators and signed-in users of role
 * ADMIN are administrators; a user with a second factor becomes one when the session is raised to `aal2`. An
 * API key acts for its user on data alone: programs that administer use the secret key.
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

/** Whether the request showed a credential that is not valid: it runs as `anon`, and its answer says so. */
export function isRefused(credential: Credential): boolean {
  return 'isRefused' in credential && credential.isRefused === true;
}
