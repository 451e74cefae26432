// Which account a person from an identity provider gets, or why none. A provider speaks for its proven domains alone.
import type { AuthContext, GenericEndpointContext } from 'better-auth';
import {
  defineRequestState,
  getCurrentAdapter,
  hasRequestState,
  queueAfterTransactionHook,
} from '@better-auth/core/context';
import { revokeUnprovenAccountAccess } from 'better-auth/db';
import { fail } from '#libs/errors';
import { readEmailAddress } from '#libs/wire';
import type { AuthConfig } from '../../auth-config.js';
import { endBan } from '../../ended-bans.js';
import type { EnginePool } from '../../engine-pool.js';
import { organizationRefusal } from '../organization/refusals.js';
import { revokeUnprovenKeys } from '../session-policy/unproven-access.js';
import { domainOfAddress } from './domains.js';
import type { SsoProvider } from './provider.js';
import { fieldIn } from '../../fields.js';

/** A person as the identity provider names them, checked. */
export interface SsoIdentity {
  readonly provider: SsoProvider;
  /** The person's id there. */
  readonly accountId: string;
  readonly email: string;
}

/** The account that the person gets. */
export type AccountDecision =
  { readonly action: 'create' } | { readonly action: 'link'; readonly userId: string };

/** What is written together with the session; a session of another kind has none. */
interface PendingWrites {
  readonly organizationId: string | null;
  readonly email: string;
}

const writesOfRequest = defineRequestState<PendingWrites | undefined>(() => undefined);

/**
 * Decides which account a person gets; runs inside the transaction that makes the session. Throws
 * INVALID_EMAIL, EMAIL_DOMAIN_NOT_ALLOWED, SSO_DOMAIN_NOT_VERIFIED, USER_INACTIVE, SSO_ACCOUNT_NOT_LINKED, SIGNUP_DISABLED
 * and YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION.
 */
export async function decideAccount(
  { context }: { readonly context: AuthContext },
  { settings, pool }: Pick<AuthConfig, 'settings' | 'pool'>,
  identity: SsoIdentity,
): Promise<AccountDecision> {
  const { provider, accountId } = identity;
  const address = readEmailAddress(identity.email);
  // People who are known by their id there keep an old address of another form.
  const email = address ?? identity.email;
  const { providerId, organizationId } = provider;
  const { createUsers, linkUsers, joinOrganization } = settings['auth.sso'];
  checkDomain(identity);
  const { internalAdapter } = context;
  const owner = await internalAdapter.findAccountOwnerByKey({ providerId, accountId });
  const known = owner?.kind === 'owned' ? owner.user : undefined;
  if (!known && address === undefined) throw fail('INVALID_EMAIL');
  const user = known ?? (await internalAdapter.findUserByEmail(email))?.user;
  if (user && fieldIn(user, 'status') !== 'active' && !(await endBan(pool, user.id))) {
    throw fail('USER_INACTIVE');
  }
  if (user && !known && !linkUsers) throw fail('SSO_ACCOUNT_NOT_LINKED');
  if (!user && !createUsers) throw fail('SIGNUP_DISABLED');
  if (organizationId !== null && !joinOrganization) {
    const isMember = user && (await findMember(context, { organizationId, userId: user.id }));
    if (!isMember) throw fail('YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION');
  }
  if (user && !known && !user.emailVerified) {
    await takeOver(context, pool, { userId: user.id, providerId: provider.providerId });
  }
  await writesOfRequest.set({ organizationId, email });
  return user ? { action: 'link', userId: user.id } : { action: 'create' };
}

function checkDomain({ provider, email }: SsoIdentity): void {
  const domain = domainOfAddress(email);
  const found = provider.domains.find((each) => each.domain === domain);
  if (!found) throw fail('EMAIL_DOMAIN_NOT_ALLOWED');
  if (!found.isVerified) throw fail('SSO_DOMAIN_NOT_VERIFIED', { domain: found.domain });
}

/** A person who made the account without owning the mailbox loses every way into it. */
async function takeOver(
  context: AuthContext,
  pool: EnginePool,
  { userId, providerId }: { readonly userId: string; readonly providerId: string },
): Promise<void> {
  // It looks at nothing else of a request.
  await revokeUnprovenAccountAccess({ context } as GenericEndpointContext, userId);
  // On another connection, which a transaction must not wait for.
  await queueAfterTransactionHook(() => revokeUnprovenKeys(pool, userId, [providerId]));
}

interface Membership {
  readonly organizationId: string;
  readonly userId: string;
}

async function findMember(context: AuthContext, { organizationId, userId }: Membership) {
  const database = await getCurrentAdapter(context.adapter);
  return database.findOne({
    model: 'member',
    where: [
      { field: 'organizationId', value: organizationId },
      { field: 'userId', value: userId },
    ],
  });
}

/**
 * Writes what belongs to a sign-in by SSO in the transaction of its session: the proof of the address, and the
 * membership in the organization. Returns the fields to set in the session; undefined for a session of another kind. Throws the engine's error for ORGANIZATION_MEMBERSHIP_LIMIT_REACHED.
 */
export async function finishSignIn(
  context: AuthContext,
  { settings }: Pick<AuthConfig, 'settings'>,
  userId: string,
): Promise<{ readonly activeOrganizationId?: string } | undefined> {
  // The platform makes sessions outside of requests, too.
  const entry = (await hasRequestState()) ? await writesOfRequest.get() : undefined;
  if (!entry) return undefined;
  const { email, organizationId } = entry;
  const user = await context.internalAdapter.findUserById(userId);
  if (user && !user.emailVerified && user.email === email) {
    await context.internalAdapter.updateUser(userId, { emailVerified: true });
  }
  if (organizationId === null) return {};
  if (!(await findMember(context, { organizationId, userId }))) {
    const role = settings['auth.sso'].defaultRole;
    await join(context, { organizationId, userId, role });
  }
  return { activeOrganizationId: organizationId };
}

async function join(
  context: AuthContext,
  member: Membership & { readonly role: string },
): Promise<void> {
  const database = await getCurrentAdapter(context.adapter);
  try {
    await database.create({ model: 'member', data: { ...member, createdAt: new Date() } });
  } catch (error) {
    throw organizationRefusal(error) ?? error;
  }
}
