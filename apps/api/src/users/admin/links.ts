// Invitations, and the links and codes that administrators hand over themselves.
import { type MadeCode, type MadeLink, newUserId } from '#libs/auth-engine';
import { fail } from '#libs/errors';
import { appendAudit, type ProjectRuntime } from '#libs/project-runtime';

import { checkedEmail, namingTaken, newValues } from './account-values.js';
import { hashChosen, withAdministration } from './administration.js';
import type { Administrator } from './administrator.js';
import { addUser, type AdminWork, type OneUser } from './create-user.js';
import {
  type GenerateLinkBody,
  type InviteUserBody,
  LINK_TYPES,
  type LinkType,
} from './links.dto.js';
import { storeMail } from './store-mail.js';
import {
  type AdminUserView,
  deleteOneTimeValues,
  findUserIdByEmail,
  keepOneTimeValue,
  lockUser,
} from './users.sql.js';

/** What a mail would hold. */
export interface GeneratedLink extends OneUser {
  readonly properties: {
    /** Null for `recovery`, which is by code. */
    readonly action_link: string | null;
    readonly email_otp: string | null;
    readonly redirect_to: string | null;
    readonly verification_type: LinkType;
    readonly expires_at: string;
  };
}

/**
 * Creates an account with an invitation link and stores the mail with the link. A user with an unused invitation gets a
 * new one, which replaces the earlier one. Throws EMAIL_NOT_CONFIGURED, PROJECT_BUSY while too many messages wait,
 * USER_ALREADY_EXISTS, INVALID_INPUT.
 */
export async function inviteUser(
  project: ProjectRuntime,
  administrator: Administrator,
  body: InviteUserBody,
): Promise<OneUser> {
  if (project.messages.transport === undefined) throw fail('EMAIL_NOT_CONFIGURED');
  await project.outbox.checkRoom();
  const order = { ...body, type: 'invite', isMailed: true } as const;
  const { user, messageIds } = await makeLink(project, administrator, order);
  project.outbox.addJobs(messageIds);
  return { user };
}

/**
 * Makes what a mail would hold. Throws CHANGE_EMAIL_DISABLED, INVALID_INPUT, USER_ALREADY_EXISTS,
 * USER_NOT_FOUND, USER_INACTIVE, and what the rules of passwords throw.
 */
export async function generateLink(
  project: ProjectRuntime,
  administrator: Administrator,
  body: GenerateLinkBody,
): Promise<GeneratedLink> {
  const type = linkType(body.type);
  if (body.password !== undefined && type !== 'signup') {
    throw fail('INVALID_INPUT', {
      field: 'password',
      reason: 'belongs to links of the type signup',
    });
  }
  if (type === 'recovery') return makeCode(project, administrator, body.email);
  const { user, link } = await makeLink(project, administrator, { ...body, type });
  const { url, redirectTo, kept } = link;
  return {
    user,
    properties: {
      action_link: url,
      email_otp: null,
      redirect_to: redirectTo,
      verification_type: type,
      expires_at: inFuture(kept.expiresInSeconds),
    },
  };
}

function linkType(type: string): LinkType {
  if (type.startsWith('email_change')) throw fail('CHANGE_EMAIL_DISABLED');
  const known = LINK_TYPES.find((each) => each === type);
  if (known) return known;
  const reason = `must be one of ${LINK_TYPES.join(', ')}`;
  throw fail('INVALID_INPUT', { field: 'type', reason });
}

interface Order extends InviteUserBody {
  readonly type: Exclude<LinkType, 'recovery'>;
  readonly password?: string;
  /** Whether the mail of an invitation is stored with it. */
  readonly isMailed?: true;
}

interface Ordered {
  readonly user: AdminUserView;
  readonly link: MadeLink;
  /** Of the messages to add jobs for. */
  readonly messageIds: readonly string[];
}

async function makeLink(
  project: ProjectRuntime,
  administrator: Administrator,
  order: Order,
): Promise<Ordered> {
  const { email, password, data } = order;
  const values = newValues({ email, ...(data && { user_metadata: data }) });
  const passwordHash = await hashChosen(project, password);
  return withAdministration(project, (administration) =>
    namingTaken(() =>
      project.events.runAnnounced(async (tx, announce) => {
        const work = { project, administrator, tx, announce };
        const found = await findForLink(work, values.email, order.type);
        const user = found ?? (await addUser(work, { values, passwordHash }));
        const link = administration.makeLink({
          userId: user.id,
          email: user.email,
          redirectTo: order.redirectTo,
          flow: order.flow ?? 'cookie',
          kind: order.type === 'magiclink' ? 'signIn' : 'invitation',
          isNewUser: found === undefined,
        });
        await keep(work, { user, type: order.type, made: link });
        const messageIds = order.isMailed ? await mailInvitation(work, user, link) : [];
        return { user, link, messageIds };
      }),
    ),
  );
}

function mailInvitation(
  { project, tx }: AdminWork,
  { email }: AdminUserView,
  { url, kept }: MadeLink,
): Promise<readonly string[]> {
  const expiresInMinutes = Math.round(kept.expiresInSeconds / 60);
  return storeMail(project, tx, {
    kind: 'inviteUser',
    to: email,
    values: { url, expiresInMinutes },
  });
}

/** The account that a link is for; undefined when one is to be made. Throws when the link may not be. */
async function findForLink(
  { tx }: AdminWork,
  email: string,
  type: Order['type'],
): Promise<AdminUserView | undefined> {
  const id = await findUserIdByEmail(tx, email);
  const user = id === undefined ? undefined : await lockUser(tx, id);
  if (!user) return undefined;
  const isUnused = !user.emailVerified && user.providers.length === 0;
  if (type === 'signup' || (type === 'invite' && !isUnused)) {
    throw fail('USER_ALREADY_EXISTS', {}, { details: { field: 'email' } });
  }
  if (user.status !== 'active') throw fail('USER_INACTIVE');
  if (type === 'invite') await deleteOneTimeValues(tx, user);
  return user;
}

async function makeCode(
  project: ProjectRuntime,
  administrator: Administrator,
  sentEmail: string,
): Promise<GeneratedLink> {
  const email = checkedEmail(sentEmail);
  return withAdministration(project, (administration) =>
    project.events.runAnnounced(async (tx, announce) => {
      const id = await findUserIdByEmail(tx, email);
      const user = id === undefined ? undefined : await lockUser(tx, id);
      if (!user) throw fail('USER_NOT_FOUND');
      if (user.status !== 'active') throw fail('USER_INACTIVE');
      const made = administration.makeRecoveryCode(email);
      await keep({ project, administrator, tx, announce }, { user, type: 'recovery', made });
      return {
        user,
        properties: {
          action_link: null,
          email_otp: made.code,
          redirect_to: null,
          verification_type: 'recovery',
          expires_at: inFuture(made.kept.expiresInSeconds),
        },
      };
    }),
  );
}

async function keep(
  { project, administrator, tx }: AdminWork,
  issued: {
    readonly user: AdminUserView;
    readonly type: LinkType;
    readonly made: MadeLink | MadeCode;
  },
): Promise<void> {
  const { user, type, made } = issued;
  await keepOneTimeValue(tx, { id: newUserId(project.record.idType), ...made.kept });
  await appendAudit(tx, {
    actor: administrator.actor,
    action: 'user.generateLink',
    target: user.id,
    before: undefined,
    after: { type, email: user.email },
  });
}

function inFuture(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}
