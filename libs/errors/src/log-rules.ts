// What the loggers of a process write of an error, and of what looks like a secret in any line.

/** A type, not an interface: loggers want an open object. */
export type LoggedError = {
  readonly type: string;
  readonly message: string;
  /** With the stacks of the causes. */
  readonly stack: string;
  readonly code?: string;
  readonly status?: number;
};

const maxCauses = 5;

/** Secret keys and secrets of hooks, which an error may repeat from the place where a caller put one by mistake. */
const longLivedSecret = /\b(svc_secret_|whsec_)[\w+/=-]+/g;

/** Options of a logger that keep secrets out of its lines. */
export const logRules = {
  serializers: { err: loggedError },
  hooks: { streamWrite: (line: string): string => line.replaceAll(longLivedSecret, '$1…') },
};

/**
 * Returns what the log has of an error: only what is named here. The details that a database gives hold whole
 * rows, with addresses and hashes of tokens; they are for the caller who may read them.
 */
export function loggedError(thrown: unknown): LoggedError {
  if (!(thrown instanceof Error)) {
    return { type: typeof thrown, message: typeof thrown === 'string' ? thrown : '', stack: '' };
  }
  const chain = withCauses(thrown);
  const code: unknown = Reflect.get(thrown, 'code');
  const status: unknown = Reflect.get(thrown, 'status');
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
