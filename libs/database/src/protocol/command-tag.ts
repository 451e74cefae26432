/** The number that ends a command tag such as `INSERT 0 5`; 0 for a tag without one. */
export function affectedRows(bytes: Buffer, end: number): number {
  let affected = 0;
  let weight = 1;
  for (let at = end - 2; at >= 0; at--) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) break;
    affected += digit * weight;
    weight *= 10;
  }
  return affected;
}
