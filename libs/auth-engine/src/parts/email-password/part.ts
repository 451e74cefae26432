// Sign-up and sign-in with an address and a password, and the change of a known password.
import type { BetterAuthPlugin, User } from 'better-auth';
import { authPath, isRecord } from '#libs/wire';
import { hook } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { queryRows } from '../../engine-pool.js';
import { type AuthPart, write } from '../../part.js';
import { changePassword, changePasswordPath } from '../../passwords/change-password.js';
import { enginePasswords, rehashOnSignIn } from '../../passwords/policy.js';
import { endOvertaken, refuseOvertaken } from '../../passwords/overtaken-sign-in.js';
import { currentRoute } from '../../outgoing-messages.js';
import { randomUsername } from '../../usernames.js';
import { passwordChanged } from '../password-changed/part.js';
import { passwordIdentity, revokeUnprovenKeys } from '../session-policy/unproven-access.js';

/** The route that signs in with an email address and a password. */
export const passwordSignInPath = '/sign-in/email';

/** Sign-up and sign-in with an email address and a password. */
export const emailPassword: AuthPart = {
  name: 'emailPassword',
  neededSettings: ['auth.methods.emailPassword.enabled'],
  routes: {
    '/sign-up/email': {
      ...write,
      summary: 'Create an account with email and password',
      fields: 'email! password! name+ username image callbackURL data:object rememberMe:boolean',
      answer: 'SignedIn',
      limit: 'signUp',
      identifiedBy: ['email'],
      captcha: 'sign-up',
      signUpMethod: 'email',
      answersSignIn: true,
      createsAccount: true,
      needsMail: 'toVerify',
      linksToSite: true,
    },
    [passwordSignInPath]: {
      ...write,
      summary: 'Sign in with email and password',
      fields: 'email! password! callbackURL rememberMe:boolean',
      takesOtherFields: true,
      answer: 'SignedInOrSecondStep',
      limit: 'signIn',
      identifiedBy: ['email'],
      captcha: 'sign-in-password',
      answersSignIn: true,
      signsInByPassword: true,
      asksSecondFactor: true,
    },
    [changePasswordPath]: {
      ...write,
      summary: 'Change your password',
      fields: 'currentPassword! newPassword! revokeOtherSessions:boolean',
      answer: 'ChangedPassword',
      needsSession: true,
      limit: 'signIn',
      needsSecondFactor: true,
    },
    '/verify-password': {
      ...write,
      summary: 'Check your password',
      fields: 'password!',
      answer: 'Done',
      needsSession: true,
      limit: 'signIn',
    },
  },
  build: (config) => {
    const group = config.settings['auth.methods.emailPassword'];
    if (!group.enabled) return undefined;
    return {
      plugins: [passwordPlugin(config)],
      options: {
        emailAndPassword: {
          enabled: true,
          // The rules count characters, which the engine does not. A character is sent as up to four code units.
          minPasswordLength: 1,
          maxPasswordLength: 4 * group.maxPasswordLength,
          requireEmailVerification: group.requireEmailVerification,
          customSyntheticUser: inventedUser(config),
          revokeSessionsOnPasswordReset: true,
          resetPasswordTokenExpiresIn: group.resetExpiresIn,
          onPasswordReset: ({ user }, request) => afterReset(config, user, request),
          password: enginePasswords(config),
        },
      },
    };
  },
};

function passwordPlugin(config: AuthConfig): BetterAuthPlugin {
  const { requireEmailVerification } = config.settings['auth.methods.emailPassword'];
  return {
    id: 'platform-passwords',
    // Takes the place of the engine's own.
    endpoints: { changePassword: changePassword(config) },
    hooks: {
      after: [
        refuseOvertaken(config.pool),
        rehashOnSignIn(config),
        ...(requireEmailVerification ? [{ matcher: isSignUp, handler: hideWhetherItIsNew }] : []),
      ],
    },
  };
}

function isSignUp(): boolean {
  return currentRoute()?.createsAccount === true;
}

/** What the answer shows of an account that is not made because the address is taken. */
function inventedUser({ generateUsername = randomUsername }: AuthConfig) {
  return ({ coreFields, additionalFields, id }: Invention): Record<string, unknown> => ({
    ...coreFields,
    username: generateUsername(),
    role: 'USER',
    status: 'active',
    isAnonymous: false,
    app_metadata: {},
    user_metadata: {},
    ...additionalFields,
    id,
  });
}

interface Invention {
  readonly coreFields: Readonly<Record<string, unknown>>;
  readonly additionalFields: Readonly<Record<string, unknown>>;
  readonly id: string;
}

/** A hook may have given the new account metadata, which an invented one has not. */
const hideWhetherItIsNew = hook(async (ctx) => {
  const { returned } = ctx.context;
  if (!isRecord(returned)) return undefined;
  const user: unknown = returned['user'];
  if (!isRecord(user)) return undefined;
  return ctx.json({ ...returned, user: { ...user, app_metadata: {}, user_metadata: {} } });
});

async function afterReset(config: AuthConfig, user: User, request?: Request): Promise<void> {
  await endOvertaken(config.pool, { userId: user.id });
  const path = request && new URL(request.url).pathname;
  if (path === `${authPath}/reset-password` && !user.emailVerified) {
    // A person who followed the link has read the mail. The engine sees that for codes only.
    await queryRows(
      config.pool,
      'update auth."user" set "emailVerified" = true, "updatedAt" = pg_catalog.now() where id = $1',
      [user.id],
    );
    await revokeUnprovenKeys(config.pool, user.id, [passwordIdentity]);
  }
  await passwordChanged(config, user);
}
