/** Text of a request as it is quoted in a message: at most 60 characters of it. */
export function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
