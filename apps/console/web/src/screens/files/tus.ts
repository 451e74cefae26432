// The texts of TUS 1.0 (https://tus.io/protocols/resumable-upload), and which of its failures may pass.

/** The header of TUS: names with their values in base64. An empty value is left out. */
export function metadataText(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name} ${base64(value)}`)
    .join(',');
}

function base64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Whether another try may succeed: the connection, the server or the time was at fault, not the request. */
export function mayPass({
  status,
  code,
}: {
  readonly status: number;
  readonly code: string;
}): boolean {
  if (code === 'UPLOAD_OFFSET_MISMATCH') return true;
  return [0, 408, 423, 429, 499, 500, 502, 503, 504].includes(status);
}
