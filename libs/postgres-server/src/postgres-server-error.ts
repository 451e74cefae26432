/** Why the embedded PostgreSQL cannot be used: one line for the operator of the server. */
export class PostgresServerError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'PostgresServerError';
  }
}

/** The code of a Node.js system error such as `EACCES`, or undefined for any other value. */
export function systemErrorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
