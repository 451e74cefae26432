import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router';
import { type ReactNode, lazy, Suspense } from 'react';

import { useIdleWarning } from '../session/idle.js';
import { currentSession } from '../session/session.js';
import { useToasts } from '../ui/toast.js';
import { ErrorPage, NotFoundPage } from './last-pages.js';
import { loadShell, Shell } from './shell.js';

const Toasts = lazy(async () => ({ default: (await import('../ui/toasts.js')).Toasts }));

const IdleDialog = lazy(() =>
  // Without a connection there is no warning; the page stays as it is.
  import('../session/idle-dialog.js').catch(() => ({ default: () => null })),
);

/** The parent of every screen. */
export const rootRoute = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({
  component: Root,
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
});

/** The parent of the screens that need a session. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: ({ location }) => {
    const session = currentSession();
    if (session && !session.mustChangePassword) return;
    // As the browser shows it: the studio has shorter addresses than its routes.
    const { publicHref } = location;
    const isStart = publicHref === new URL(document.baseURI).pathname;
    throw redirect({ to: '/sign-in', search: isStart ? {} : { to: publicHref }, replace: true });
  },
  loader: ({ context: { queryClient } }) => loadShell(queryClient),
  component: Shell,
});

function Root(): ReactNode {
  const isIdleSoon = useIdleWarning();
  const hasToasts = useToasts().length > 0;
  return (
    <>
      <Outlet />
      {isIdleSoon && currentSession() && (
        <Suspense>
          <IdleDialog />
        </Suspense>
      )}
      {hasToasts && (
        <Suspense>
          <Toasts />
        </Suspense>
      )}
    </>
  );
}
