// Whether people can sign in by a provider now: everything that a sign-in needs is looked at once, but no user
// is signed in, so what only the identity provider knows (such as its list of callbacks) stays unknown.
import { X509Certificate } from 'node:crypto';
import { AppError } from '#libs/errors';
import { checkReachable } from './oidc-config.js';
import { certificatesOf, type OidcConfig, type SamlConfig, type SsoProvider } from './provider.js';
import type { Manager } from './provider-rights.js';
import { hasOrganizations, idProblem } from './usable-provider.js';

/**
 * What was found. A warning does not stop sign-ins that it does not name. The reason says what is wrong and what to do,
 * in sentences for the person who has started the test.
 */
type Finding =
  { readonly status: 'ok' } | { readonly status: 'warning' | 'failed'; readonly reason: string };

/** One thing that a sign-in needs, and what was found. */
export type SsoCheck = Finding & {
  readonly name: 'settings' | 'id' | 'domains' | 'secrets' | 'endpoints' | 'certificates';
};

export interface SsoReadiness {
  readonly providerId: string;
  /** Whether no check failed. */
  readonly ready: boolean;
  readonly checks: readonly SsoCheck[];
}

const fine: Finding = { status: 'ok' };

/** Looks at a provider; calls the servers of one by OpenID Connect. What is wrong is in the answer. */
export async function checkReadiness(
  manager: Manager,
  provider: SsoProvider,
): Promise<SsoReadiness> {
  const { settings } = manager;
  const { providerId, protocol } = provider;
  const checks: readonly SsoCheck[] = [
    { name: 'settings', ...failed(settingsProblem(manager, provider)) },
    { name: 'id', ...failed(idReason(idProblem(settings, providerId), providerId)) },
    { name: 'domains', ...checkDomains(provider) },
    { name: 'secrets', ...failed(secretsProblem(manager, provider)) },
    protocol.kind === 'oidc'
      ? { name: 'endpoints', ...failed(await endpointsProblem(manager, protocol.config)) }
      : { name: 'certificates', ...checkCertificates(protocol.config, new Date()) },
  ];
  return { providerId, ready: checks.every(({ status }) => status !== 'failed'), checks };
}

function failed(reason: string | undefined): Finding {
  return reason === undefined ? fine : { status: 'failed', reason };
}

function idReason(problem: string | undefined, providerId: string): string | undefined {
  return problem && `The id ${providerId} ${problem}. Register the provider with another id.`;
}

function settingsProblem(
  { settings }: Pick<Manager, 'settings'>,
  { organizationId }: Pick<SsoProvider, 'organizationId'>,
): string | undefined {
  const turnOn = (group: string) =>
    `Turn on “enabled” in the settings group ${group}, and test again.`;
  if (!settings['auth.sso'].enabled) return `Single sign-on is off. ${turnOn('auth.sso')}`;
  if (organizationId === null || hasOrganizations(settings)) return undefined;
  return `The provider belongs to an organization, and organizations are off. ${turnOn('auth.organization')}`;
}

function checkDomains({ domains }: Pick<SsoProvider, 'domains'>): Finding {
  const claimed = domains.filter(({ isVerified }) => !isVerified).map(({ domain }) => domain);
  if (claimed.length === 0) return fine;
  const reason = `It is not proven that the organization owns ${claimed.join(', ')}: users with addresses of these domains cannot sign in. Create the DNS record of each domain and look it up, or verify the domains as an administrator.`;
  return { status: claimed.length === domains.length ? 'failed' : 'warning', reason };
}

function secretsProblem(
  { box }: Pick<Manager, 'box'>,
  { protocol }: Pick<SsoProvider, 'protocol'>,
): string | undefined {
  try {
    box.open(protocol.config);
    return undefined;
  } catch {
    // The failure of a decryption says nothing that would help.
    return 'The stored secrets of the provider cannot be opened: they were stored with another key of the project. Enter them again, and save.';
  }
}

async function endpointsProblem(
  { call }: Pick<Manager, 'call'>,
  config: OidcConfig,
): Promise<string | undefined> {
  let called = config.jwksEndpoint;
  try {
    await checkReachable(config, (request) => {
      called = request.url;
      return call(request);
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { message } = error;
    return `The address of ${purposeOf(called, config)} (${called}) failed: ${message}. Correct the address of the provider, and test again.`;
  }
}

function purposeOf(url: string, { jwksEndpoint, tokenEndpoint }: OidcConfig): string {
  if (url === jwksEndpoint) return 'the signing keys';
  return url === tokenEndpoint ? 'the tokens' : 'the user data';
}

/**
 * Signatures count by their key alone, as SAML's metadata mean it; a term that has ended shows that the identity
 * provider has probably changed its key, or will soon. One good certificate is enough: a new one is often
 * listed before the old one ends.
 */
export function checkCertificates(
  config: Pick<SamlConfig, 'cert' | 'idpMetadata'>,
  now: Date,
): Finding {
  const terms = certificatesOf(config).map((pem) => {
    const { validFrom, validTo } = new X509Certificate(pem);
    return { from: new Date(validFrom), to: new Date(validTo) };
  });
  if (terms.some(({ from, to }) => from <= now && now <= to)) return fine;
  const isEarly = terms.some(({ from }) => from > now);
  const found = isEarly ? 'is not valid yet' : 'has expired';
  const reason = `The certificate of the identity provider ${found}. Sign-ins work while the provider signs with its key. Read the metadata of the provider again, and save them if they have another certificate.`;
  return { status: 'warning', reason };
}
