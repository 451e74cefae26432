/** Whether the error of the file system means that the file does not exist. */
export function isAbsence(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
}
