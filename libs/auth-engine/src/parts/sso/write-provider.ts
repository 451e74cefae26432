// Registering a provider and changing it: what a body says is checked, the identity provider is called where
// that is needed, and everything is stored in one transaction.
import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';
import { violates } from '../../auth-errors.js';
import { inEngineTransaction, type RunStatement } from '../../engine-pool.js';
import { fieldIn } from '../../fields.js';
import { parseDomains } from './domains.js';
import { fieldsOf, isPlainWebAddress, needed, type FieldReader } from './field-reader.js';
import { changeOf, type SsoChange, type SsoProviderView } from './note-change.js';
import { providerView, type SsoProvider } from './provider.js';
import { checkManages, getManaged, type Manager, type SsoActor } from './provider-rights.js';
import * as rows from './provider.sql.js';
import { identityOf, readyProtocol } from './ready-protocol.js';
import { secretNames } from './sealed-secrets.js';
import { hasOrganizations, idOfCustomProvider, idProblem } from './usable-provider.js';

const providerIdPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;
const CONFIGS = ['oidcConfig', 'samlConfig'] as const;
const UPDATE_FIELDS = ['issuer', 'domain', ...CONFIGS];

/** Adds a provider. */
export async function registerProvider(
  manager: Manager,
  actor: SsoActor,
  body: unknown,
): Promise<SsoProviderView> {
  const fields = fieldsOf(body, ['providerId', ...UPDATE_FIELDS, 'organizationId']);
  const organizationId = organizationOf(manager, fields);
  await checkManages(manager, actor, organizationId);
  const providerId = needed(fields, 'providerId', fields.text('providerId'));
  const problem = newIdProblem(manager, providerId);
  if (problem !== undefined) throw fields.refused('providerId', problem);
  const issuer = issuerOf(fields, undefined);
  const domains = parseDomains(needed(fields, 'domain', fields.text('domain')));
  const ready = await readyProtocol(manager, { fields, providerId, issuer });
  const values = { providerId, domains, ...ready };
  return refusingTaken(values, () =>
    inEngineTransaction(manager.pool, async (run) => {
      if (!(await rows.keepFromCustomProviders(run, providerId))) {
        throw fields.refused('providerId', idOfCustomProvider);
      }
      // Accounts that an earlier provider has left would be taken for this one's.
      if (await rows.hasAccounts(run, providerId))
        throw fail('SSO_PROVIDER_EXISTS', { providerId });
      if (organizationId !== undefined) await checkRoom(manager, run, organizationId);
      const id = await rows.insertProvider(run, values, { organizationId, userId: actor.userId });
      await changeDomains(run, id, actor, domains);
      const secrets = secretNames(ready.protocol.config);
      return written(manager, run, { actor, id, action: 'create', before: undefined, secrets });
    }),
  );
}

/** Changes of a provider what the body names. */
export async function updateProvider(
  manager: Manager,
  actor: SsoActor,
  { providerId, body }: { readonly providerId: string; readonly body: unknown },
): Promise<SsoProviderView> {
  const { pool } = manager;
  const fields = fieldsOf(body, UPDATE_FIELDS);
  const provider = await getManaged(manager, actor, providerId);
  const { id } = provider;
  const issuer = issuerOf(fields, provider);
  const list = fields.text('domain');
  const domains =
    list === undefined ? provider.domains.map(({ domain }) => domain) : parseDomains(list);
  const ready = await readyProtocol(manager, { fields, providerId, issuer, current: provider });
  // Another identity provider may know other people under the same names.
  const isOther = (await identityOf(ready)) !== (await identityOf(provider));
  if (isOther && (await rows.hasAccounts(pool, providerId))) {
    throw fail('SSO_PROVIDER_IN_USE', { field: 'issuer' });
  }
  const values = { providerId, domains, ...ready };
  return refusingTaken(values, () =>
    inEngineTransaction(pool, async (run) => {
      const before = await lockUnchanged(run, provider);
      await rows.updateProvider(run, id, values);
      if (list !== undefined) await changeDomains(run, id, actor, domains);
      const secrets = sentSecrets(body);
      return written(manager, run, { actor, id, action: 'update', before, secrets });
    }),
  );
}

/** Why a new provider cannot have an id, as far as the settings say it; undefined when it can. */
export function newIdProblem({ settings }: Pick<Manager, 'settings'>, providerId: string) {
  return providerIdPattern.test(providerId)
    ? idProblem(settings, providerId)
    : 'must be 1 to 63 of the characters A-Z, a-z, 0-9, _ and -';
}

function organizationOf({ settings }: Manager, fields: FieldReader): string | undefined {
  const organizationId = fields.text('organizationId', 128);
  if (organizationId === undefined || hasOrganizations(settings)) return organizationId;
  throw fields.refused('organizationId', 'there are no organizations here');
}

function issuerOf(fields: FieldReader, current: SsoProvider | undefined): string {
  const issuer = needed(fields, 'issuer', fields.text('issuer') ?? current?.issuer);
  // Some identity providers are named by a URN, but this one's name is an address (specification: SSO provider).
  if (issuer !== current?.issuer && !isPlainWebAddress(issuer)) {
    throw fields.refused('issuer', 'must be an address of the web');
  }
  return issuer;
}

async function checkRoom(
  { settings }: Manager,
  run: RunStatement,
  organizationId: string,
): Promise<void> {
  const count = await rows.countProviders(run, organizationId);
  if (count === undefined) throw fail('ORGANIZATION_NOT_FOUND');
  const { maxProvidersPerOrganization } = settings['auth.sso'];
  if (count >= maxProvidersPerOrganization) throw fail('SSO_PROVIDER_LIMIT_REACHED');
}

/** What was not named in a body was decided on what the provider was when it was read. */
async function lockUnchanged(run: RunStatement, read: SsoProvider): Promise<SsoProvider> {
  const now = await rows.lockProvider(run, read.id);
  if (!now) throw fail('SSO_PROVIDER_NOT_FOUND');
  const words = ({ issuer, protocol }: SsoProvider) => JSON.stringify([issuer, protocol]);
  if (words(now) !== words(read)) throw fail('SSO_PROVIDER_CHANGED');
  return now;
}

/** Administrators vouch for the domains that they name. */
async function changeDomains(
  run: RunStatement,
  id: string,
  actor: SsoActor,
  domains: readonly string[],
): Promise<void> {
  const taken = await rows.findTakenDomain(run, id, domains);
  if (taken !== undefined) throw fail('SSO_DOMAIN_TAKEN', { domain: taken });
  await rows.setDomains(run, id, { domains, areVerified: actor.kind === 'administrator' });
}

interface Written {
  readonly actor: SsoActor;
  /** Of the row. */
  readonly id: string;
  readonly action: SsoChange['action'];
  readonly before: SsoProvider | undefined;
  readonly secrets?: readonly string[];
}

/** Ends a change inside its transaction: it is written down, and answered with what is there now. */
export async function written(
  manager: Manager,
  run: RunStatement,
  { actor, id, ...change }: Written,
): Promise<SsoProviderView> {
  const after = await rows.lockProvider(run, id);
  if (!after) throw fail('SSO_PROVIDER_NOT_FOUND');
  if (actor.kind === 'administrator') {
    await actor.note?.(run, changeOf(manager, { ...change, after }));
  }
  return providerView(manager, after);
}

/** The secrets that a body brings. */
function sentSecrets(body: unknown): readonly string[] {
  return CONFIGS.flatMap((name) => {
    const config = fieldIn(body, name);
    return isRecord(config) ? secretNames(config) : [];
  });
}

/** Runs a write. Throws SSO_PROVIDER_EXISTS and SSO_DOMAIN_TAKEN for a row that another request wrote meanwhile. */
export async function refusingTaken<T>(
  { providerId, domains }: { readonly providerId: string; readonly domains: readonly string[] },
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
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
