/** What a browser adds to `fetch`: cookies that are kept and sent back. */
export interface CookieJar {
  readonly fetch: typeof fetch;
  /** The cookies as they are sent: `name=value; …`. */
  readonly header: () => string;
}

/** An empty jar. With an origin, requests name it as those of a page do. */
export function openCookieJar(origin?: string): CookieJar {
  const jar = new Map<string, string>();
  const header = () => [...jar].map((pair) => pair.join('=')).join('; ');
  return {
    header,
    async fetch(input, init) {
      const request = new Request(input, init);
      if (origin !== undefined) request.headers.set('origin', origin);
      if (jar.size > 0) request.headers.set('cookie', header());
      const response = await fetch(request);
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') jar.delete(name);
        else jar.set(name, value);
      }
      return response;
    },
  };
}
