/** Returns text of a request as a message quotes it: at most 60 characters of it. */
export function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
