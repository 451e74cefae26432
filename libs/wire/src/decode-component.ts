/** Returns the text with its percent-escapes decoded once; undefined where they are no UTF-8 (RFC 3986 §2.1). */
export function decodeComponent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
