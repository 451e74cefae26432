// The profile that a provider sends, on its way into the engine: cut to what an account may take over, and
// remembered for the rest of the request.
import { defineRequestState } from '@better-auth/core/context';
import type { OAuthProvider } from '@better-auth/core/oauth2';
import { readEmailAddress } from '#libs/wire';
import type { AuthConfig } from '../../auth-config.js';
import { isStandInAddress } from '../../sign-up-policy.js';
import { isWebAddress } from '../custom-oauth/foreign-values.js';

type FoundPerson = Awaited<ReturnType<OAuthProvider['getUserInfo']>>;

const maxLengths = { name: 200, email: 254, image: 2000 } as const;
const addressPattern = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;
const controls = /\p{Cc}+/gu;

/** The profile of the person who signs in or links an account, as the provider sent it. */
export interface ShownProfile {
  readonly providerId: string;
  readonly name: string | undefined;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  readonly image: string | undefined;
}

const shown = defineRequestState<ShownProfile | undefined>(() => undefined);

/** The profile that a provider has shown in this request; undefined when none has. */
export function shownProfile(): Promise<ShownProfile | undefined> {
  return shown.get();
}

/** Watches the profiles that a provider of this instance sends. Changes `provider`. */
export function watchProvider(provider: OAuthProvider, log: AuthConfig['log']): void {
  const { id, getUserInfo, getUserInfoFromIdToken } = provider;
  const watched = async (find: () => Promise<FoundPerson>): Promise<FoundPerson> => {
    const found = await orNull(find, { id, log });
    if (!found) return null;
    const profile = profileOf(id, found);
    await shown.set(profile);
    // Nothing else that a provider names becomes part of an account, such as a user name.
    const { providerId: _providerId, ...user } = profile;
    return { user, data: found.data };
  };
  provider.getUserInfo = (tokens) => watched(() => getUserInfo(tokens));
  if (getUserInfoFromIdToken) {
    provider.getUserInfoFromIdToken = (token) => watched(() => getUserInfoFromIdToken(token));
  }
}

/** A provider that fails sends no profile; the log says why. */
async function orNull(
  find: () => Promise<FoundPerson>,
  { id, log }: { readonly id: string; readonly log: AuthConfig['log'] },
): Promise<FoundPerson> {
  try {
    return await find();
  } catch (error) {
    log({ level: 'warn', message: `The provider ${id} sent no profile`, cause: error });
    return null;
  }
}

function profileOf(providerId: string, { user }: NonNullable<FoundPerson>): ShownProfile {
  const name = plainText(user.name)?.replace(controls, ' ').slice(0, maxLengths.name).trim();
  const image = plainText(user.image);
  const verified: unknown = user.emailVerified;
  return {
    providerId,
    name,
    email: addressOf(plainText(user.email)),
    // Whatever is no clear yes is a no: `"false"` is a text that counts as true.
    emailVerified: verified === true || verified === 'true',
    image:
      image !== undefined && image.length <= maxLengths.image && isWebAddress(image)
        ? image
        : undefined,
  };
}

function addressOf(text: string | undefined): string | undefined {
  if (text === undefined || text.length > maxLengths.email || !addressPattern.test(text)) {
    return undefined;
  }
  // An old account may have an address of another form, and a new one is refused with it.
  const email = readEmailAddress(text) ?? text;
  // Those of phone users and guests lead to accounts that no provider may speak for.
  return isStandInAddress(email) ? undefined : email;
}

/** Providers answer with values of any kind, whatever the engine's types say. */
function plainText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
