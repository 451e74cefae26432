import { createRoute, redirect } from '@tanstack/react-router';

import { currentSession } from '../../session/session.js';
import { rootRoute } from '../../shell/root-route.js';
import { SignInPage } from './sign-in-page.js';

export interface SignInSearch {
  /** The page that was asked for, from the first slash: never another host. */
  readonly to?: string | undefined;
  /** An account was made, and is not signed in. */
  readonly account?: 'ready' | undefined;
}

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  // What is not said here would be taken from the address as it is.
  validateSearch: ({ to, account }: Record<string, unknown>): SignInSearch => ({
    to: typeof to === 'string' && /^\/(?![/\\])/.test(to) ? to : undefined,
    account: account === 'ready' ? 'ready' : undefined,
  }),
  beforeLoad: () => {
    if (currentSession()?.mustChangePassword === false) {
      throw redirect({ to: '/projects', replace: true });
    }
  },
  component: SignInPage,
});
