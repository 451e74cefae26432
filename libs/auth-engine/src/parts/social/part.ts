// Sign-in with the providers that everybody knows. Which of them are on, and with what, is in `auth.social`;
// beginning a sign-in and what belongs to the accounts is in identities.ts.
import { CALLBACK_PATHS } from '#libs/wire';
import { type AuthPart, write, landing } from '../../part.js';
import { hasOwnHosts, hasSocialProviders, socialOptions } from './social-options.js';

/** The callback of social providers. */
export const social: AuthPart = {
  name: 'social',
  neededSettings: ['auth.social'],
  // Apple answers by a form.
  routes: {
    [`${CALLBACK_PATHS.social}:provider`]: [
      {
        ...landing,
        summary: 'Return from a provider',
        fields: 'code state error',
        answer: 'Redirected',
        flow: 'returns',
        provider: 'callback',
      },
      {
        ...write,
        summary: 'Return from a provider that answers by a form',
        fields: 'code+ state+ error',
        takesOtherFields: true,
        answer: 'Redirected',
        body: 'form',
        isKeyless: true,
        flow: 'returns',
        provider: 'callback',
      },
    ],
  },
  build: ({ settings }) => {
    const values = settings['auth.social'];
    if (!hasSocialProviders(values) && !hasOwnHosts(values)) return undefined;
    return { options: { socialProviders: socialOptions(values) } };
  },
};
