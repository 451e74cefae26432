// What managers do with SSO providers. The routes of the auth engine call it for users; whoever speaks for the
// project itself, such as an operator, calls it as an administrator.
import { fail } from '#libs/errors';
import type { AuthConfig } from '../../auth-config.js';
import { violates } from '../../auth-errors.js';
import { inEngineTransaction, type RunStatement } from '../../engine-pool.js';
import { parseDomains } from './domains.js';
import { fieldsOf, isPlainWebAddress, needed, type Fields } from './fields.js';
import { providerView, verificationRecord, type SsoProvider } from './provider.js';
import * as rows from './provider.sql.js';
import { identityOf, readyProtocol } from './ready-protocol.js';
import { createSecretBox, type SecretBox } from './sealed-secrets.js';
import { hasOrganizations, isReservedId } from './usable-provider.js';
import { hasTxtRecord } from './verify-domain.js';

/** Who manages: the project's administrators may do everything, users what concerns their organizations. */
export type SsoActor =
  | { readonly kind: 'administrator'; readonly userId?: string | undefined }
  | { readonly kind: 'user'; readonly userId: string };

/** A provider as its managers see it. */
export type SsoProviderView = Readonly<Record<string, unknown>>;

/**
 * All of them throw FORBIDDEN for a user who manages no organization that the provider belongs to, and
 * SSO_PROVIDER_NOT_FOUND. Bodies are as they were sent, and are checked here.
 */
export interface SsoProviders {
  /** Throws INVALID_INPUT, FIELD_NOT_ALLOWED, SSO_PROVIDER_EXISTS, SSO_PROVIDER_LIMIT_REACHED, SSO_DOMAIN_TAKEN. */
  register(actor: SsoActor, body: unknown): Promise<SsoProviderView>;
  list(actor: SsoActor): Promise<readonly SsoProviderView[]>;
  get(actor: SsoActor, providerId: string): Promise<SsoProviderView>;
  /** Keeps what the body does not name. Throws as `register` does, and SSO_PROVIDER_IN_USE. */
  update(actor: SsoActor, body: unknown): Promise<SsoProviderView>;
  remove(actor: SsoActor, providerId: string): Promise<void>;
  /** Looks for the DNS records of domains that are not proven; administrators need none. */
  verifyDomains(actor: SsoActor, providerId: string): Promise<SsoProviderView>;
}

export type SsoConfig = Pick<AuthConfig, 'settings' | 'baseUrl' | 'secret' | 'pool' | 'call'>;

interface Manager extends SsoConfig {
  readonly box: SecretBox;
}

/** The providers of a project. */
export function createSsoProviders(config: SsoConfig): SsoProviders {
  const manager: Manager = { ...config, box: createSecretBox(config.secret) };
  const { pool } = config;
  return {
    register: (actor, body) => register(manager, actor, body),
    list: async (actor) => {
      const found = await rows.listProviders(
        pool,
        actor.kind === 'user' ? actor.userId : undefined,
      );
      return found.map((provider) => providerView(config, provider));
    },
    get: async (actor, providerId) =>
      providerView(config, await getManaged(manager, actor, providerId)),
    update: (actor, body) => update(manager, actor, body),
    remove: async (actor, providerId) => {
      const { id } = await getManaged(manager, actor, providerId);
      await rows.deleteProvider(pool, id);
    },
    verifyDomains: async (actor, providerId) => {
      const provider = await getManaged(manager, actor, providerId);
      await verifyDomains(manager, actor, provider);
      return providerView(config, await getProvider(manager, providerId));
    },
  };
}

const providerIdPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;
const CONFIGS = ['oidcConfig', 'samlConfig'] as const;
const UPDATE_FIELDS = ['providerId', 'issuer', 'domain', ...CONFIGS];

async function register(
  manager: Manager,
  actor: SsoActor,
  body: unknown,
): Promise<SsoProviderView> {
  const { pool } = manager;
  const fields = fieldsOf(body, [...UPDATE_FIELDS, 'organizationId']);
  const organizationId = fields.text('organizationId', 128);
  await checkManages(manager, actor, organizationId);
  const providerId = newProviderId(manager, fields);
  const issuer = issuerOf(fields, undefined);
  const domains = parseDomains(needed(fields, 'domain', fields.text('domain')));
  const ready = await readyProtocol(manager, { fields, providerId, issuer });
  // Accounts that an earlier provider has left would be taken for this one's.
  if (await rows.hasAccounts(pool, providerId)) throw fail('SSO_PROVIDER_EXISTS', { providerId });
  const values = { providerId, domains, ...ready };
  await inOurWords(values, () =>
    inEngineTransaction(pool, async (run) => {
      if (organizationId !== undefined) {
        const count = await rows.countProviders(run, organizationId);
        if (count === undefined) throw fail('ORGANIZATION_NOT_FOUND');
        const { maxProvidersPerOrganization } = manager.settings['auth.sso'];
        if (count >= maxProvidersPerOrganization) throw fail('SSO_PROVIDER_LIMIT_REACHED');
      }
      const { userId } = actor;
      const id = await rows.insertProvider(run, values, { organizationId, userId });
      await changeDomains(run, { id, actor, domains });
    }),
  );
  return providerView(manager, await getProvider(manager, providerId));
}

async function update(manager: Manager, actor: SsoActor, body: unknown): Promise<SsoProviderView> {
  const { pool } = manager;
  const fields = fieldsOf(body, UPDATE_FIELDS);
  const providerId = needed(fields, 'providerId', fields.text('providerId'));
  const provider = await getManaged(manager, actor, providerId);
  const { id } = provider;
  const issuer = issuerOf(fields, provider);
  const list = fields.text('domain');
  const domains =
    list === undefined ? provider.domains.map(({ domain }) => domain) : parseDomains(list);
  const ready = await readyProtocol(manager, { fields, providerId, issuer, current: provider });
  // Another identity provider may know other people under the same names.
  if (identityOf(ready) !== identityOf(provider) && (await rows.hasAccounts(pool, providerId))) {
    throw fail('SSO_PROVIDER_IN_USE', { field: 'issuer' });
  }
  const values = { providerId, domains, ...ready };
  await inOurWords(values, () =>
    inEngineTransaction(pool, async (run) => {
      await rows.updateProvider(run, id, values);
      if (list !== undefined) await changeDomains(run, { id, actor, domains });
    }),
  );
  return providerView(manager, await getProvider(manager, providerId));
}

function newProviderId({ settings }: Manager, fields: Fields): string {
  const providerId = needed(fields, 'providerId', fields.text('providerId'));
  if (!providerIdPattern.test(providerId)) {
    throw fields.refused('providerId', 'must be 1 to 63 of the characters A-Z, a-z, 0-9, _ and -');
  }
  if (isReservedId(settings, providerId)) throw fields.refused('providerId', 'is reserved');
  return providerId;
}

function issuerOf(fields: Fields, current: SsoProvider | undefined): string {
  const issuer = needed(fields, 'issuer', fields.text('issuer') ?? current?.issuer);
  // Some identity providers are named by a URN, but this one's name is an address (specification: SSO provider).
  if (issuer !== current?.issuer && !isPlainWebAddress(issuer)) {
    throw fields.refused('issuer', 'must be an address of the web');
  }
  return issuer;
}

interface DomainChange {
  readonly id: string;
  readonly actor: SsoActor;
  readonly domains: readonly string[];
}

/** Administrators vouch for the domains that they name. */
async function changeDomains(
  run: RunStatement,
  { id, actor, domains }: DomainChange,
): Promise<void> {
  const taken = await rows.findTakenDomain(run, id, domains);
  if (taken !== undefined) throw fail('SSO_DOMAIN_TAKEN', { domain: taken });
  await rows.setDomains(run, id, { domains, areVerified: actor.kind === 'administrator' });
}

async function verifyDomains(
  manager: Manager,
  actor: SsoActor,
  provider: SsoProvider,
): Promise<void> {
  for (const { domain, isVerified } of provider.domains) {
    if (isVerified) continue;
    const record = verificationRecord(manager, provider, domain);
    // One after the other: a list of domains is short, and a DNS server is not to be flooded.
    const isProven = actor.kind === 'administrator' || (await hasTxtRecord(record));
    if (!isProven) continue;
    await inOurWords({ providerId: provider.providerId, domains: [domain] }, () =>
      rows.verifyDomain(manager.pool, provider.id, domain),
    );
  }
}

async function getProvider({ pool }: Manager, providerId: string): Promise<SsoProvider> {
  const provider = await rows.findProvider(pool, providerId);
  if (!provider) throw fail('SSO_PROVIDER_NOT_FOUND');
  return provider;
}

async function getManaged(
  manager: Manager,
  actor: SsoActor,
  providerId: string,
): Promise<SsoProvider> {
  const provider = await getProvider(manager, providerId);
  await checkManages(manager, actor, provider.organizationId ?? undefined);
  return provider;
}

async function checkManages(
  { pool, settings }: Manager,
  actor: SsoActor,
  organizationId: string | undefined,
): Promise<void> {
  if (organizationId !== undefined && !hasOrganizations(settings)) {
    throw fail('INVALID_INPUT', {
      field: 'organizationId',
      reason: 'there are no organizations here',
    });
  }
  if (actor.kind === 'administrator') return;
  const { userId } = actor;
  const isManager =
    organizationId !== undefined &&
    (await rows.managesOrganization(pool, { userId, organizationId }));
  if (!isManager) throw fail('FORBIDDEN');
}

/** Runs a write; what somebody else has written meanwhile is refused as if it had been there before. */
async function inOurWords(
  { providerId, domains }: { readonly providerId: string; readonly domains: readonly string[] },
  write: () => Promise<void>,
): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (
      ['sso_provider_id_key', 'ssoProvider_providerId_key'].some((name) => violates(error, name))
    ) {
      throw fail('SSO_PROVIDER_EXISTS', { providerId }, { cause: error });
    }
    if (!violates(error, 'sso_domain_verified_key')) throw error;
    throw fail('SSO_DOMAIN_TAKEN', { domain: domains.join(', ') }, { cause: error });
  }
}
