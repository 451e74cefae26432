// Some steps of a sign-in leave a signed cookie at the client: the challenge of a second factor, a trusted
// device, the ceremony of a passkey. Clients that keep no cookies carry the same value in a header.

/** A cookie of the engine and the header that replaces it. */
export interface CarriedCookie {
  /** Without the prefix that the engine gives to every cookie, such as `two_factor`. */
  readonly cookie: string;
  /** In lower case. */
  readonly header: string;
}

const maxValueLength = 2000;
const cookieValuePattern = /^[\w.~!*'()%+/=:-]+$/;

/**
 * Turns the headers of a request into the cookies that they replace. Changes `headers`. A client that keeps
 * no cookies and names no origin is no browser: the request gets `origin`, since the engine requires an origin with
 * cookies.
 */
export function headersToCookies(
  headers: Headers,
  carried: readonly CarriedCookie[],
  { prefix, origin }: { readonly prefix: string; readonly origin: string },
): void {
  const isOfBrowser = ['cookie', 'origin', 'referer'].some((name) => headers.has(name));
  for (const { cookie, header } of carried) {
    const value = headers.get(header);
    headers.delete(header);
    if (value === null || value.length > maxValueLength || !cookieValuePattern.test(value))
      continue;
    const others = headers.get('cookie');
    const pair = `${prefix}${cookie}=${value}`;
    // The first of several cookies of a name counts.
    headers.set('cookie', others === null ? pair : `${pair}; ${others}`);
    if (!isOfBrowser) headers.set('origin', origin);
  }
}

/** Adds to an answer the headers that replace the cookies which it sets. Changes `headers`. */
export function cookiesToHeaders(
  headers: Headers,
  carried: readonly CarriedCookie[],
  prefix: string,
): void {
  if (carried.length === 0) return;
  for (const line of headers.getSetCookie()) {
    const [pair = ''] = line.split(';');
    const equals = pair.indexOf('=');
    const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
    const found = carried.find(({ cookie }) => `${prefix}${cookie}` === name);
    // An emptied cookie has ended.
    if (found && value !== '') headers.set(found.header, value);
  }
}
