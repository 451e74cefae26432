// Sign-in with the providers that everybody knows. Which of them are on, and with what, is in `auth.social`;
// beginning a sign-in and what belongs to the accounts is in identities.ts.
import { type AuthPart, landing, write } from '../../part.js';
import { hasOwnHosts, hasSocialProviders, socialOptions } from './social-options.js';

/** The callback of social providers. */
export const social: AuthPart = {
  name: 'social',
  neededSettings: ['auth.social'],
  // Apple answers by a form.
  routes: { '/callback/:provider': [landing, { ...write, body: 'form', isKeyless: true }] },
  build: ({ settings }) => {
    const values = settings['auth.social'];
    if (!hasSocialProviders(values) && !hasOwnHosts(values)) return undefined;
    return { options: { socialProviders: socialOptions(values) } };
  },
};
