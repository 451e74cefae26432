// What the measuring process and the one that verifies passwords say to each other.

/** One round of verifying one password. */
export interface HashPlan {
  readonly kind: 'hash';
  readonly passwordHash: string;
  readonly password: string;
  /** Verifications under way at once; as many as there are sign-ins under way. */
  readonly atOnce: number;
  /** Work before the clock starts. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

export type HashAnswer =
  | { readonly kind: 'hashed'; readonly perSecond: number }
  | { readonly kind: 'error'; readonly message: string };

function kindOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'kind' in message
    ? message.kind
    : undefined;
}

export function isHashPlan(message: unknown): message is HashPlan {
  return kindOf(message) === 'hash';
}

export function isHashAnswer(message: unknown): message is HashAnswer {
  const kind = kindOf(message);
  return kind === 'hashed' || kind === 'error';
}
