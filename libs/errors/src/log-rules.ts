// What loggers write about an error, and how they remove secrets from any line.

/** A type, not an interface: loggers expect an open object. */
export type LoggedError = {
  readonly type: string;
  readonly message: string;
  /** With the stacks of the causes. */
  readonly stack: string;
  readonly code?: string;
  readonly status?: number;
};

const maxCauses = 5;

/** Secret keys and secrets of hooks: an error may repeat a value that a caller put into the wrong field. */
const longLivedSecret = /\b(svc_secret_|whsec_)[\w+/=-]+/g;

/** Logger options that keep secrets out of its lines. */
export const logRules = {
  serializers: { err: loggedError },
  hooks: { streamWrite: (line: string): string => line.replaceAll(longLivedSecret, '$1…') },
};

/**
 * Returns the fields of an error that the log contains: only those named here. The details of a database error contain
 * whole rows, with addresses and hashes of tokens; only the caller who may read them receives them.
 */
export function loggedError(thrown: unknown): LoggedError {
  if (!(thrown instanceof Error)) {
    return { type: typeof thrown, message: typeof thrown === 'string' ? thrown : '', stack: '' };
  }
  const chain = withCauses(thrown);
  const { code, status }: Error & { readonly code?: unknown; readonly status?: unknown } = thrown;
  return {
    type: thrown.name,
    message: chain.map(({ message }) => message).join(': '),
    stack: chain.map(({ stack = '' }) => stack).join('\ncaused by: '),
    ...(typeof code === 'string' && { code }),
    ...(typeof status === 'number' && { status }),
  };
}

function withCauses(error: Error): readonly Error[] {
  const chain = [error];
  let next = error.cause;
  while (next instanceof Error && chain.length <= maxCauses) {
    chain.push(next);
    next = next.cause;
  }
  return chain;
}
