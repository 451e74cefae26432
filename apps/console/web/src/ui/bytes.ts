const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes with at most one decimal. A KB is 1,000 bytes. */
export function bytesInWords(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 })} ${units[power] ?? ''}`;
}
