// Who an arrival from an identity provider is here, or why it may not come in. A provider speaks for its
// proven domains alone.
import type { AuthContext, GenericEndpointContext } from 'better-auth';
import {
  defineRequestState,
  getCurrentAdapter,
  hasRequestState,
  queueAfterTransactionHook,
} from '@better-auth/core/context';
import { revokeUnprovenAccountAccess } from 'better-auth/db';
import { fail } from '#libs/errors';
import type { AuthConfig } from '../../auth-config.js';
import type { EnginePool } from '../../engine-pool.js';
import { organizationRefusal } from '../organization/refusals.js';
import { revokeUnprovenKeys } from '../session-policy/unproven-access.js';
import { domainOfAddress } from './domains.js';
import type { SsoProvider } from './provider.js';
import { fieldIn } from '../../fields.js';

/** What the identity provider says, checked. */
export interface Arrival {
  readonly provider: SsoProvider;
  /** The person's id there. */
  readonly accountId: string;
  readonly email: string;
}

/** What becomes of an arrival. */
export type Admission =
  { readonly action: 'create' } | { readonly action: 'link'; readonly userId: string };

/** What of an admission is done together with the session; a session of another kind has none. */
interface Entry {
  readonly organizationId: string | null;
  readonly email: string;
}

const entryOfRequest = defineRequestState<Entry | undefined>(() => undefined);

/**
 * Decides about an arrival; runs inside the transaction that makes the session. Throws
 * EMAIL_DOMAIN_NOT_ALLOWED, SSO_DOMAIN_NOT_VERIFIED, USER_INACTIVE, SSO_ACCOUNT_NOT_LINKED, SIGNUP_DISABLED
 * and YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION.
 */
export async function admit(
  { context }: { readonly context: AuthContext },
  { settings, pool }: Pick<AuthConfig, 'settings' | 'pool'>,
  arrival: Arrival,
): Promise<Admission> {
  const { provider, accountId, email } = arrival;
  const { providerId, organizationId } = provider;
  const { createUsers, linkUsers, joinOrganization } = settings['auth.sso'];
  checkDomain(arrival);
  const { internalAdapter } = context;
  const owner = await internalAdapter.findAccountOwnerByKey({ providerId, accountId });
  const known = owner?.kind === 'owned' ? owner.user : undefined;
  const user = known ?? (await internalAdapter.findUserByEmail(email))?.user;
  if (user && fieldIn(user, 'status') !== 'active') throw fail('USER_INACTIVE');
  if (user && !known && !linkUsers) throw fail('SSO_ACCOUNT_NOT_LINKED');
  if (!user && !createUsers) throw fail('SIGNUP_DISABLED');
  if (organizationId !== null && !joinOrganization) {
    const isMember = user && (await findMember(context, { organizationId, userId: user.id }));
    if (!isMember) throw fail('YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION');
  }
  if (user && !known && !user.emailVerified) {
    await takeOver(context, pool, { userId: user.id, providerId: provider.providerId });
  }
  await entryOfRequest.set({ organizationId, email });
  return user ? { action: 'link', userId: user.id } : { action: 'create' };
}

function checkDomain({ provider, email }: Arrival): void {
  const domain = domainOfAddress(email);
  const found = provider.domains.find((each) => each.domain === domain);
  if (!found) throw fail('EMAIL_DOMAIN_NOT_ALLOWED');
  if (!found.isVerified) throw fail('SSO_DOMAIN_NOT_VERIFIED', { domain: found.domain });
}

/** Whoever made the account without the mailbox loses every way into it. */
async function takeOver(
  context: AuthContext,
  pool: EnginePool,
  { userId, providerId }: { readonly userId: string; readonly providerId: string },
): Promise<void> {
  // It looks at nothing else of a request.
  await revokeUnprovenAccountAccess({ context } as GenericEndpointContext, userId);
  // On another connection, for which nobody may wait inside a transaction.
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
 * What an admission brings along, in the same transaction as its session: the proof of the address, and the
 * organization, which the session begins in. Answers what is set in the session; undefined for a session of
 * another kind. Throws the engine's error for ORGANIZATION_MEMBERSHIP_LIMIT_REACHED.
 */
export async function enter(
  context: AuthContext,
  { settings }: Pick<AuthConfig, 'settings'>,
  userId: string,
): Promise<{ readonly activeOrganizationId?: string } | undefined> {
  // The platform makes sessions outside of requests, too.
  const entry = (await hasRequestState()) ? await entryOfRequest.get() : undefined;
  if (!entry) return undefined;
  const { email, organizationId } = entry;
  const user = await context.internalAdapter.findUserById(userId);
  if (user && !user.emailVerified && user.email === email.toLowerCase()) {
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
