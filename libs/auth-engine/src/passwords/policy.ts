// What happens to a chosen password, and to a password that has just matched an old hash. The engine
// knows two functions for it, `hash` and `verify`, and calls them for more than that: it hashes a password
// that cannot be right so that a sign-in takes as long for an unknown address as for a known one.
import type { BetterAuthPlugin } from 'better-auth';
import { defineRequestState, hasRequestState } from '@better-auth/core/context';
import { fail } from '#libs/errors';
import {
  createBreachCheck,
  hashInVain,
  hashPassword,
  matchingForm,
  needsRehash,
  normalizePassword,
  passwordProblem,
  type BreachCheck,
  type PasswordRules,
} from '#libs/passwords';
import { hook, refusing } from '../endpoint.js';
import type { AuthConfig } from '../auth-config.js';
import { queryRows } from '../engine-pool.js';
import { rememberFitting } from './overtaken-sign-in.js';
import { currentRoute } from '../outgoing-messages.js';

const breachTimeoutMs = 3000;

/** Returns the hash of a chosen password. */
export type HashChosen = (password: string) => Promise<string>;

/**
 * The hash function for chosen passwords. It throws PASSWORD_TOO_SHORT, PASSWORD_TOO_LONG and
 * PASSWORD_TOO_WEAK by the rules of the project, PASSWORD_BREACHED and BREACH_CHECK_UNAVAILABLE by its list.
 */
export function createPasswordPolicy(
  config: Pick<AuthConfig, 'settings' | 'call' | 'log'>,
): HashChosen {
  const rules = config.settings['auth.methods.emailPassword'];
  const isBreached = breachCheck(config);
  return async (chosen) => {
    const password = normalizePassword(chosen);
    checkRules(rules, password);
    if ((await isBreached?.(password))?.isBreached === true) throw fail('PASSWORD_BREACHED');
    return hashPassword(password);
  };
}

function breachCheck({
  settings,
  call,
  log,
}: Pick<AuthConfig, 'settings' | 'call' | 'log'>): BreachCheck | undefined {
  const group = settings['auth.attackProtection'];
  if (!group.breachedPasswords) return undefined;
  return createBreachCheck({
    call,
    url: group.breachedPasswordsUrl,
    onFailure: group.breachedPasswordsOnFailure,
    timeoutMs: breachTimeoutMs,
    log,
  });
}

function checkRules(rules: PasswordRules, password: string): void {
  const reason = passwordProblem(rules, password);
  if (reason === undefined) return;
  const length = [...password].length;
  if (length < rules.minPasswordLength) throw fail('PASSWORD_TOO_SHORT', { reason });
  if (length > rules.maxPasswordLength) throw fail('PASSWORD_TOO_LONG', { reason });
  throw fail('PASSWORD_TOO_WEAK', { reason });
}

interface OutdatedHash {
  readonly hash: string;
  readonly password: string;
}

const outdated = defineRequestState<OutdatedHash | undefined>(() => undefined);

/** `hash` and `verify` for the engine. */
export function enginePasswords(config: Pick<AuthConfig, 'settings' | 'call' | 'log'>) {
  const hashChosen = createPasswordPolicy(config);
  return {
    hash: async (password: string): Promise<string> => {
      // A sign-in chooses no password: the engine hashes one only to spend the time.
      if (currentRoute()?.signsInByPassword) return hashInVain(password);
      return refusing(() => hashChosen(password));
    },
    verify: async ({ hash, password }: OutdatedHash): Promise<boolean> => {
      const form = await matchingForm(hash, password);
      if (form === undefined) return false;
      await rememberFitting({ hash, password });
      if (needsRehash(hash, form) && (await hasRequestState())) {
        await outdated.set({ hash, password });
      }
      return true;
    },
  };
}

/** The hook that gives an account a new hash when a sign-in has shown the password of an outdated one. */
export function rehashOnSignIn({ pool, log }: Pick<AuthConfig, 'pool' | 'log'>): AfterHook {
  return {
    matcher: () => currentRoute()?.signsInByPassword === true,
    handler: hook(async (ctx) => {
      const old = await outdated.get();
      const userId = ctx.context.newSession?.user.id;
      if (old === undefined || userId === undefined) return;
      try {
        // The old hash is named so that a password that was changed meanwhile stays.
        await queryRows(
          pool,
          `update auth.account set password = $1, "updatedAt" = pg_catalog.now()
           where "userId" = $2 and "providerId" = 'credential' and password = $3`,
          [await hashPassword(old.password), userId, old.hash],
        );
      } catch (error) {
        log({ level: 'warn', message: 'A password hash could not be renewed', cause: error });
      }
    }),
  };
}

type AfterHook = NonNullable<NonNullable<BetterAuthPlugin['hooks']>['after']>[number];
