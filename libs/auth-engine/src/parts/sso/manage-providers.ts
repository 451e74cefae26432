// What managers do with SSO providers. The routes of the auth engine call it for users; a caller that speaks for the
// project itself, such as an operator, calls it as an administrator.
import { fail } from '#libs/errors';
import { inEngineTransaction } from '../../engine-pool.js';
import { changeOf, type SsoProviderView } from './note-change.js';
import { metadataUrlOf, providerView, redirectUriOf, verificationRecord } from './provider.js';
import type { SsoProvider } from './provider.js';
import { getManaged, type Manager, type SsoActor, type SsoConfig } from './provider-rights.js';
import * as rows from './provider.sql.js';
import { createSecretBox } from './sealed-secrets.js';
import { checkReadiness, type SsoReadiness } from './provider-readiness.js';
import { hasTxtRecord } from './verify-domain.js';
import {
  refusingTaken,
  newIdProblem,
  registerProvider,
  updateProvider,
  written,
} from './write-provider.js';

/** What is registered at an identity provider, which often is asked for before there is a provider here. */
export interface SsoUrls {
  readonly providerId: string;
  readonly oidc: { readonly redirectURI: string };
  readonly saml: {
    readonly redirectURI: string;
    readonly spMetadataUrl: string;
    /** What the service provider is called unless the provider's configuration says otherwise. */
    readonly entityID: string;
  };
}

/**
 * All of them throw FORBIDDEN for a user who manages no organization that the provider belongs to, and
 * SSO_PROVIDER_NOT_FOUND. Bodies are as they were sent, and are checked here.
 */
export interface SsoProviders {
  /** Throws INVALID_INPUT, FIELD_NOT_ALLOWED, SSO_PROVIDER_EXISTS, SSO_PROVIDER_LIMIT_REACHED, SSO_DOMAIN_TAKEN. */
  register(actor: SsoActor, body: unknown): Promise<SsoProviderView>;
  list(actor: SsoActor): Promise<readonly SsoProviderView[]>;
  get(actor: SsoActor, providerId: string): Promise<SsoProviderView>;
  /** Keeps what the body does not name. Throws as `register` does, SSO_PROVIDER_IN_USE and SSO_PROVIDER_CHANGED. */
  update(actor: SsoActor, providerId: string, body: unknown): Promise<SsoProviderView>;
  remove(actor: SsoActor, providerId: string): Promise<void>;
  /**
   * Looks for the DNS records of domains that are not proven; administrators need none. `domain` is the only one
   * that is looked at. Throws INVALID_INPUT when it is not of the provider, and SSO_DOMAIN_TAKEN.
   */
  verifyDomains(actor: SsoActor, providerId: string, domain?: string): Promise<SsoProviderView>;
  /** Whether people can sign in by the provider now, as far as that can be known without one of them. */
  checkReadiness(actor: SsoActor, providerId: string): Promise<SsoReadiness>;
  /** Throws INVALID_INPUT for what cannot be the id of a provider. */
  urlsOf(providerId: string): SsoUrls;
}

/** The providers of a project. */
export function createSsoProviders(config: SsoConfig): SsoProviders {
  const manager: Manager = { ...config, box: createSecretBox(config.secret) };
  return {
    register: (actor, body) => registerProvider(manager, actor, body),
    list: async (actor) => {
      const managerId = actor.kind === 'user' ? actor.userId : undefined;
      const found = await rows.listProviders(config.pool, managerId);
      return found.map((provider) => providerView(config, provider));
    },
    get: async (actor, providerId) =>
      providerView(config, await getManaged(manager, actor, providerId)),
    update: (actor, providerId, body) => updateProvider(manager, actor, { providerId, body }),
    remove: async (actor, providerId) =>
      remove(manager, actor, await getManaged(manager, actor, providerId)),
    verifyDomains: async (actor, providerId, domain) => {
      const provider = await getManaged(manager, actor, providerId);
      return verifyDomains(manager, actor, provider, domain);
    },
    checkReadiness: async (actor, providerId) =>
      checkReadiness(manager, await getManaged(manager, actor, providerId)),
    urlsOf: (providerId) => urlsOf(config, providerId),
  };
}

async function remove(
  manager: Manager,
  actor: SsoActor,
  { id }: Pick<SsoProvider, 'id'>,
): Promise<void> {
  await inEngineTransaction(manager.pool, async (run) => {
    const before = await rows.lockProvider(run, id);
    if (!before) throw fail('SSO_PROVIDER_NOT_FOUND');
    await rows.deleteProvider(run, id);
    if (actor.kind === 'user') return;
    await actor.note?.(run, changeOf(manager, { action: 'delete', before, after: undefined }));
  });
}

/** Looks at the domain that is wanted alone; undefined: at all. */
async function verifyDomains(
  manager: Manager,
  actor: SsoActor,
  provider: SsoProvider,
  wanted: string | undefined,
): Promise<SsoProviderView> {
  if (wanted !== undefined && provider.domains.every(({ domain }) => domain !== wanted)) {
    throw fail('INVALID_INPUT', { field: 'domain', reason: 'is no domain of this provider' });
  }
  const proven: string[] = [];
  for (const { domain, isVerified } of provider.domains) {
    if (isVerified || (wanted ?? domain) !== domain) continue;
    const record = verificationRecord(manager, provider, domain);
    // One after the other: a list of domains is short, and a DNS server is not to be flooded.
    const isProven = actor.kind === 'administrator' || (await hasTxtRecord(record));
    if (isProven) proven.push(domain);
  }
  if (proven.length === 0) return providerView(manager, provider);
  const { id, providerId } = provider;
  return refusingTaken({ providerId, domains: proven }, () =>
    inEngineTransaction(manager.pool, async (run) => {
      const before = await rows.lockProvider(run, id);
      const taken = await rows.findTakenDomain(run, id, proven);
      if (taken !== undefined) throw fail('SSO_DOMAIN_TAKEN', { domain: taken });
      await rows.verifyDomains(run, id, proven);
      return written(manager, run, { actor, id, action: 'verifyDomains', before });
    }),
  );
}

function urlsOf(config: SsoConfig, providerId: string): SsoUrls {
  const reason = newIdProblem(config, providerId);
  if (reason !== undefined) throw fail('INVALID_INPUT', { field: 'providerId', reason });
  const redirectUri = (kind: 'oidc' | 'saml') =>
    redirectUriOf(config, { providerId, protocol: { kind } });
  const spMetadataUrl = metadataUrlOf(config, providerId);
  return {
    providerId,
    oidc: { redirectURI: redirectUri('oidc') },
    saml: { redirectURI: redirectUri('saml'), spMetadataUrl, entityID: spMetadataUrl },
  };
}
