// Whether people can sign in by a provider now: everything that a sign-in needs is looked at once, but no user
// is signed in, so what only the identity provider knows (such as its list of callbacks) stays unknown.
import { X509Certificate } from 'node:crypto';
import { AppError } from '#libs/errors';
import { checkReachable } from './oidc-config.js';
import { certificatesOf, type OidcConfig, type SamlConfig, type SsoProvider } from './provider.js';
import type { Manager } from './provider-rights.js';
import { hasOrganizations, idProblem } from './usable-provider.js';

/** What was found; a warning does not stop sign-ins that it does not name. */
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
    { name: 'id', ...failed(idProblem(settings, providerId)) },
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

function settingsProblem(
  { settings }: Pick<Manager, 'settings'>,
  { organizationId }: Pick<SsoProvider, 'organizationId'>,
): string | undefined {
  if (!settings['auth.sso'].enabled) return 'auth.sso is off';
  const lacksOrganizations = organizationId !== null && !hasOrganizations(settings);
  return lacksOrganizations ? 'auth.organization is off' : undefined;
}

function checkDomains({ domains }: Pick<SsoProvider, 'domains'>): Finding {
  const claimed = domains.filter(({ isVerified }) => !isVerified).map(({ domain }) => domain);
  if (claimed.length === 0) return fine;
  const reason = `not proven: ${claimed.join(', ')}`;
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
    return 'were sealed with another key of the project; set them again';
  }
}

async function endpointsProblem(
  { call }: Pick<Manager, 'call'>,
  config: OidcConfig,
): Promise<string | undefined> {
  try {
    await checkReachable(config, call);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
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
  return { status: 'warning', reason: isEarly ? 'not valid yet' : 'expired' };
}
