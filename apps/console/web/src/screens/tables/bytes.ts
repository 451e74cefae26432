// Bytes as PostgreSQL writes them: `\x00ff` (manual, section 8.4.1).

export function bytesOfHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^\\x(?:[0-9a-f]{2})*$/i.test(text)) return undefined;
  const bytes = new Uint8Array((text.length - 2) / 2);
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = Number.parseInt(text.slice(2 + at * 2, 4 + at * 2), 16);
  }
  return bytes;
}

export function hexOfBytes(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'));
  return `\\x${hex.join('')}`;
}
