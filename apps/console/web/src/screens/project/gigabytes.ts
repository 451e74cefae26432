// Limits as people type them. A GB is 1,000,000,000 bytes, as wherever the console shows sizes.
const bytesInGigabyte = 1e9;

/** The text of a limit; empty for null, which is the default of the deployment. */
export function gigabytesOf(bytes: number | null): string {
  return bytes === null ? '' : String(bytes / bytesInGigabyte);
}

/** The limit that a text means; null for an empty one. */
export function bytesOf(gigabytes: string): number | null {
  return gigabytes.trim() === '' ? null : Math.round(Number(gigabytes) * bytesInGigabyte);
}
