// Which pages may use cookies. The rules are those by which requests are answered (http/hooks/trusted-page.ts).
import type { ProjectRuntime } from '#libs/project-runtime';
import { allowedOrigins, isAllowedOrigin } from '#libs/settings';

interface TrustedOrigin {
  /** With `*` for any part in front, or any port. */
  readonly origin: string;
  /**
   * `project`: its own address. `settings`: a web address of `auth.urls`. `machine`: a project on localhost trusts the
   * pages of the machine. `domain`: a verified domain, for requests to that domain alone.
   */
  readonly source: 'project' | 'settings' | 'machine' | 'domain';
}

interface OriginCheck {
  /** The origin that a browser sends for pages of the given address; null if the text is no web address. */
  readonly origin: string | null;
  /** Whether the given text is the origin itself. */
  readonly isExact: boolean;
  /** Whether its pages may send cookies: in every request, or in those to their own domain alone. */
  readonly cookies: 'always' | 'own-domain' | 'never';
  /** The entry of `trusted` that decides; null without one. */
  readonly by: TrustedOrigin | null;
}

export interface OriginsReport {
  /** The origins whose pages may send cookies. Pages of all origins may read answers to requests without cookies. */
  readonly trusted: readonly TrustedOrigin[];
  /** Only for a request with `origin`. */
  readonly check: OriginCheck | null;
}

const webAddress = /^https?:\/\//i;

/** Returns the origins that the project trusts, and whether a page of the address `asked` would be trusted. */
export function reportOrigins(project: ProjectRuntime, asked: string | undefined): OriginsReport {
  const trusted = trustedOrigins(project);
  return { trusted, check: asked === undefined ? null : checkOrigin(trusted, asked.trim()) };
}

function trustedOrigins({ rules, baseUrl, record, settings }: ProjectRuntime): TrustedOrigin[] {
  const listed = new Set(allowedOrigins(settings.get('auth.urls')));
  const sourceOf = (origin: string): TrustedOrigin['source'] => {
    if (origin === baseUrl.origin) return 'project';
    return listed.has(origin) ? 'settings' : 'machine';
  };
  // Addresses of apps (`myapp://callback`) are places to redirect to, and no origins of pages.
  const general = rules.trustedOrigins.filter((origin) => webAddress.test(origin));
  const ofDomains = record.domains.flatMap((domain) => rules.ownOriginAt(domain) ?? []);
  return [
    ...[...new Set(general)].map((origin) => ({ origin, source: sourceOf(origin) })),
    ...ofDomains.map((origin): TrustedOrigin => ({ origin, source: 'domain' })),
  ];
}

function checkOrigin(trusted: readonly TrustedOrigin[], text: string): OriginCheck {
  const origin = webAddress.test(text) && URL.canParse(text) ? new URL(text).origin : null;
  const matching = trusted.filter((each) => isAllowedOrigin(origin ?? '', [each.origin]));
  // What is trusted for every request counts before a domain that is trusted for its own.
  const by = matching.find(({ source }) => source !== 'domain') ?? matching[0] ?? null;
  const cookies = by === null ? 'never' : by.source === 'domain' ? 'own-domain' : 'always';
  return { origin, isExact: origin === text, cookies, by };
}
