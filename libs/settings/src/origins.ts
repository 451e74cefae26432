// The web origins that belong to a project. One list (auth.urls) decides which browser pages may read answers (CORS),
// which may send cookies (CSRF), and where a redirect may lead.

interface Urls {
  readonly siteUrl: string | undefined;
  readonly redirectUrls: readonly string[];
}

const webOriginPattern = /^(https?:\/\/[^/?#]+)/i;

/**
 * The origins of `urls`, without duplicates: `https://app.example.com`, `https://*.example.com`, `http://localhost:*`,
 * or an app's own scheme such as `myapp://callback`. Paths of web addresses are dropped, because browsers separate
 * sites by origin only.
 */
export function allowedOrigins(urls: Urls): readonly string[] {
  const all = urls.siteUrl === undefined ? urls.redirectUrls : [urls.siteUrl, ...urls.redirectUrls];
  return [...new Set(all.map(originOf))];
}

/** Whether a browser's `Origin` header is one of `allowed`. `null` and anything that is not a web origin never is. */
export function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  if (!URL.canParse(origin) || new URL(origin).origin !== origin) return false;
  return allowed.some((pattern) =>
    pattern.includes('*') ? matchesWildcard(origin, pattern) : pattern === origin,
  );
}

function originOf(address: string): string {
  const web = webOriginPattern.exec(address)?.[1];
  if (web === undefined) return address;
  return web.includes('*') ? web.toLowerCase() : new URL(web).origin;
}

/** A leading `*.` matches one or more labels, a trailing `:*` any port or none. */
function matchesWildcard(origin: string, pattern: string): boolean {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  const source = escaped.replace(/:\*$/, '(:\\d{1,5})?').replace('//*\\.', '//([a-z0-9-]+\\.)+');
  return new RegExp(`^${source}$`).test(origin);
}
