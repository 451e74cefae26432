// The query of an operation: a query string as on the table routes, or the same as an object of texts.
import { isRecord } from '#libs/wire';
import { entriesOf, refusal } from './field.js';

/** Returns the query string of a field, percent-encoded. Throws INVALID_INPUT. */
export function queryStringOf(value: unknown, field: string): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return encodeText(value, field, encodeBeyondAscii);
  if (!isRecord(value)) throw refusal(field, 'must be a query string or an object of texts');
  return entriesOf(value)
    .flatMap(([name, texts]) => {
      const list: readonly unknown[] = Array.isArray(texts) ? texts : [texts];
      return list.map((text) => {
        if (typeof text === 'string') return parameter(name, text, field);
        throw refusal(field, 'must be a query string or an object of texts');
      });
    })
    .join('&');
}

/** `name=value`, percent-encoded. Throws INVALID_INPUT for text that is not Unicode. */
export function parameter(name: string, value: string, field: string): string {
  const encode = (text: string) => encodeText(text, field, encodeURIComponent);
  return `${encode(name)}=${encode(value)}`;
}

// The query string may contain letters that a URL would encode.
const encodeBeyondAscii = (text: string): string =>
  text.replace(/[^\0-\u007f]+/g, encodeURIComponent);

function encodeText(text: string, field: string, encode: (text: string) => string): string {
  try {
    return encode(text);
  } catch (cause) {
    if (cause instanceof URIError) throw refusal(field, 'is not Unicode text');
    throw cause;
  }
}
