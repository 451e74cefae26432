// How a function sets status and headers of its answer, by PostgREST's convention:
//   perform set_config('response.status', '201', true);
//   perform set_config('response.headers', '[{"Cache-Control": "no-store"}]', true);
import { fail, type AppError } from '#libs/errors';
import { isForProxies, isOfAllHosts, isRecord } from '#libs/wire';

export interface ResponseSettings {
  readonly status: number | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** They frame the message, so only the server may set them (RFC 9112 §6, §9.6). */
const FRAMING = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'trailer',
]);

/**
 * Parses the texts of `response.status` and `response.headers`; an empty text remains of a setting from an earlier
 * transaction. Throws DATABASE_ERROR, naming the invalid setting.
 */
export function readResponseSettings(texts: readonly (string | null)[]): ResponseSettings {
  const [status, headers] = texts;
  return {
    status: status ? readStatus(status) : undefined,
    headers: headers ? readHeaders(headers) : {},
  };
}

function readStatus(text: string): number {
  if (!/^[2-5]\d\d$/.test(text)) throw unusable('response.status', 'it is not an HTTP status');
  return Number(text);
}

function readHeaders(text: string): Readonly<Record<string, string>> {
  const given: unknown = parseJson(text);
  if (!Array.isArray(given)) throw unusable('response.headers', 'it is not a JSON array');
  const headers: Record<string, string> = {};
  for (const element of given) {
    const fields: [string, unknown][] = isRecord(element) ? Object.entries(element) : [];
    const [field] = fields;
    if (field === undefined || fields.length > 1) {
      throw unusable('response.headers', 'an element is not an object with one key');
    }
    const name = field[0].toLowerCase();
    const value = readValue(name, field[1]);
    // Fields with the same name are one list (RFC 9110 §5.3).
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

function readValue(name: string, value: unknown): string {
  if (!NAME.test(name) || FRAMING.has(name) || isForProxies(name)) {
    throw unusable('response.headers', 'it holds a name that cannot be set');
  }
  if (typeof value !== 'string' || !VALUE.test(value)) {
    throw unusable('response.headers', `the value of ${name} is not valid in a header`);
  }
  if (name === 'set-cookie' && isOfAllHosts(value)) {
    throw unusable(
      'response.headers',
      'a cookie has no name, a domain, or a name that browsers protect',
    );
  }
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw unusable('response.headers', 'it is not JSON');
  }
}

function unusable(setting: string, reason: string): AppError {
  const message = `The function has set ${setting} to an invalid value: ${reason}`;
  return fail('DATABASE_ERROR', {}, { message });
}
