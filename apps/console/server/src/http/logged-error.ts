/** What the log is told of an error. A type, not an interface: the logger wants an open object. */
export type LoggedError = {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly code?: string;
  readonly cause?: LoggedError;
};

const maxCauses = 5;

/**
 * The parts of an error that are for the log. A failed query also carries its text and its values,
 * among which are tokens and password hashes: only what is named here is written.
 */
export function loggedError(error: unknown, causesLeft = maxCauses): LoggedError {
  if (typeof error !== 'object' || error === null) {
    return { type: typeof error, message: '', stack: '' };
  }
  const code = textIn(error, 'code');
  const cause: unknown = Reflect.get(error, 'cause');
  return {
    type: textIn(error, 'name') ?? 'Error',
    message: textIn(error, 'message') ?? '',
    stack: textIn(error, 'stack') ?? '',
    ...(code !== undefined && { code }),
    ...(cause !== undefined && causesLeft > 0 && { cause: loggedError(cause, causesLeft - 1) }),
  };
}

function textIn(error: object, name: string): string | undefined {
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : undefined;
}
