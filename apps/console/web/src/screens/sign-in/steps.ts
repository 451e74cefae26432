// What the steps of a sign-in take, and what is next after each.
export type NextStep =
  | { readonly step: 'done' }
  | { readonly step: 'code'; readonly challenge: string }
  | { readonly step: 'new-password' };

/** What was typed in the first step. */
export interface Given {
  readonly email: string;
  readonly password: string;
  readonly projectKey?: string | undefined;
}

export interface CodeInput {
  readonly kind: 'totp' | 'backup-code';
  readonly code: string;
  readonly trustDevice: boolean;
}
