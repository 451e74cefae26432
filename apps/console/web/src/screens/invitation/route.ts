import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { rootRoute } from '../../shell/root-route.js';

/** The page to which the links of invitations lead. */
export const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./invitation-page.js'), 'InvitationPage'),
});
