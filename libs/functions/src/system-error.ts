/** Returns the code of an error of the system, such as `ENOENT`; undefined for other values. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}
