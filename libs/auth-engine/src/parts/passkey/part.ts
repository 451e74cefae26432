// Passkeys (WebAuthn Level 3). The device that keeps one proves that it is there; when it has also made sure
// of its user, by a finger, a face or a PIN, that is a second factor (§1.2.1 and §6.1, flag UV): such a
// sign-in is of level `aal2`, any other of `aal1`.
import { defineRequestState, hasRequestState } from '@better-auth/core/context';
import type { BetterAuthPlugin } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';
import { hook, type AnyEndpoint, callback, replacing } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { queryRows } from '../../engine-pool.js';
import { loadPackage } from '../../load-package.js';
import { type AuthPart, read, write } from '../../part.js';
import { fieldIn } from '../../fields.js';
import { currentRoute } from '../../outgoing-messages.js';
import { mayRegister, queryCheck, responseCheck } from './checks.js';
import { passkeyAnswer } from './passkey-views.js';

const challengeCookie = 'passkey_challenge';

/** Sign-in with a passkey, and the passkeys of the signed-in user. */
export const passkey: AuthPart = {
  name: 'passkey',
  neededSettings: ['auth.passkey.enabled', 'auth.passkey.rpId'],
  routes: {
    '/passkey/generate-register-options': {
      ...read,
      summary: 'Begin the registration of a passkey',
      fields: 'name authenticatorAttachment',
      answer: 'PasskeyOptions',
      needsSession: true,
      needsSecondFactor: true,
      answersOtherUser: true,
      ceremony: 'beginsRegistration',
    },
    '/passkey/verify-registration': {
      ...write,
      summary: 'Complete the registration of a passkey',
      fields: 'response!:object name+',
      answer: 'Passkey',
      needsSession: true,
      limit: 'verifyCode',
      addsAccess: true,
      needsSecondFactor: true,
      ceremony: 'endsRegistration',
    },
    '/passkey/generate-authenticate-options': {
      ...write,
      summary: 'Begin a sign-in with a passkey',
      answer: 'PasskeyOptions',
      limit: 'signIn',
      method: 'GET',
      answersOtherUser: true,
      ceremony: 'beginsSignIn',
    },
    '/passkey/verify-authentication': {
      ...write,
      summary: 'Complete a sign-in with a passkey',
      fields: 'response!:object',
      answer: 'SignedIn',
      limit: 'signIn',
      ceremony: 'endsSignIn',
    },
    '/passkey/list-user-passkeys': {
      ...read,
      summary: 'List your passkeys',
      answer: 'Passkeys',
      needsSession: true,
    },
    '/passkey/update-passkey': {
      ...write,
      summary: 'Rename a passkey',
      fields: 'id! name!',
      answer: 'PasskeyChanged',
      needsSession: true,
    },
    '/passkey/delete-passkey': {
      ...write,
      summary: 'Delete a passkey',
      fields: 'id!',
      answer: 'Done',
      needsSession: true,
      needsSecondFactor: true,
    },
  },
  build: async (config) => {
    const { enabled, rpId } = config.settings['auth.passkey'];
    if (!enabled || rpId === undefined) return undefined;
    return {
      plugins: [await passkeyPlugin(config, rpId)],
      carriedCookies: [{ cookie: challengeCookie, header: 'x-challenge-token' }],
    };
  },
};

/** How far the ceremony of a request has come. */
type Ceremony = 'begun' | 'proven' | 'proven-by-user';

const ceremony = defineRequestState<Ceremony>(() => 'begun');

async function passkeyPlugin(config: AuthConfig, rpID: string): Promise<BetterAuthPlugin> {
  const { passkey: enginePlugin } = await loadPackage(() => import('@better-auth/passkey'));
  const { schema, endpoints, $ERROR_CODES } = enginePlugin(engineOptions(config, rpID));
  return {
    id: 'passkey',
    schema,
    endpoints: {
      ...endpoints,
      verifyPasskeyRegistration: refusingUnusable(endpoints.verifyPasskeyRegistration),
    },
    $ERROR_CODES,
    hooks: {
      before: [queryCheck, mayRegister, responseCheck(config)],
      after: [
        {
          matcher: () => currentRoute()?.part === passkey.name,
          handler: hook(async (ctx) => {
            const { returned } = ctx.context;
            if (isAPIError(returned)) return undefined;
            const ended = currentRoute()?.ceremony;
            const answer =
              ended === 'endsSignIn'
                ? signInAnswer(returned)
                : passkeyAnswer(returned, ended === 'endsRegistration');
            return answer && ctx.json(answer);
          }),
        },
      ],
    },
    init: () => ({
      options: {
        databaseHooks: {
          session: {
            create: {
              before: async () => {
                if (!(await hasRequestState())) return undefined;
                const isAal2 = (await ceremony.get()) === 'proven-by-user';
                return isAal2 ? { data: { aal: 'aal2' } } : undefined;
              },
            },
          },
        },
      },
    }),
  };
}

function engineOptions({ settings, pool }: AuthConfig, rpID: string) {
  return {
    rpID,
    rpName: settings['auth.passkey'].rpName ?? rpID,
    // Who signs in has not said who it is, so the authenticator must find the passkey by itself.
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' } as const,
    advanced: { webAuthnChallengeCookie: challengeCookie },
    registration: {
      afterVerification: callback(async ({ verification }: Registered) => {
        const id = verification.registrationInfo?.credential.id;
        const known = await queryRows(pool, 'select from auth.passkey where "credentialID" = $1', [
          id,
        ]);
        // An authenticator never makes the same one twice (WebAuthn §7.1): this one is another user's.
        if (known.length > 0) throw fail('PASSKEY_REFUSED');
        await ceremony.set('proven');
      }),
    },
    authentication: {
      afterVerification: callback(async ({ verification }: Verified) => {
        const { newCounter, userVerified, credentialID } = verification.authenticationInfo;
        // The engine compares with what it has read: of two uses at once one may be a copy's.
        const used = await queryRows(
          pool,
          `update auth.passkey set counter = $2 where "credentialID" = $1
           and (counter < $2 or counter = 0 and $2 = 0) returning 1`,
          [credentialID, newCounter],
        );
        if (used.length === 0) throw fail('PASSKEY_REFUSED');
        await ceremony.set(userVerified ? 'proven-by-user' : 'proven');
      }),
    },
  };
}

interface Registered {
  readonly verification: {
    readonly registrationInfo?: { readonly credential: { readonly id: string } };
  };
}

interface Verified {
  readonly verification: {
    readonly authenticationInfo: {
      readonly credentialID: string;
      readonly newCounter: number;
      readonly userVerified: boolean;
    };
  };
}

/** The engine answers a response that proves nothing like a failure of ours. */
function refusingUnusable(engineEndpoint: AnyEndpoint): AnyEndpoint {
  return replacing(engineEndpoint, async (call) => {
    try {
      const answer: unknown = await engineEndpoint(call);
      return answer;
    } catch (error) {
      const isUnusable = isAPIError(error) && error.statusCode >= 500;
      if (isUnusable && (await ceremony.get()) === 'begun') throw fail('PASSKEY_REFUSED');
      throw error;
    }
  });
}

/** With the token where every sign-in has it. */
function signInAnswer(answer: unknown): object | undefined {
  const session = fieldIn(answer, 'session');
  if (!isRecord(answer) || !isRecord(session)) return undefined;
  return { ...answer, token: session['token'] };
}
