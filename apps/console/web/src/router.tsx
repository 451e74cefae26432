import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter, redirect } from '@tanstack/react-router';

import { isStudio } from './api/place.js';
import { accountRoute } from './screens/account/route.js';
import { apiRoute } from './screens/api/route.js';
import { auditRoute, projectAuditRoute } from './screens/audit/route.js';
import { deploymentRoute } from './screens/deployment/route.js';
import { diagramRoute } from './screens/diagram/route.js';
import { domainsRoute } from './screens/domains/route.js';
import { filesRoute } from './screens/files/route.js';
import { invitationRoute } from './screens/invitation/route.js';
import { keysRoute } from './screens/keys/route.js';
import { operatorsRoute } from './screens/operators/route.js';
import { organizationsRoute } from './screens/organizations/route.js';
import { policiesRoute } from './screens/policies/route.js';
import { projectLayoutRoute } from './screens/project/layout-route.js';
import { projectRoute } from './screens/project/route.js';
import { projectsRoute } from './screens/projects/route.js';
import { realtimeRoute } from './screens/realtime/route.js';
import { requestsRoute } from './screens/requests/route.js';
import { settingsRoutes } from './screens/settings/route.js';
import { signInRoute } from './screens/sign-in/route.js';
import { sqlRoute } from './screens/sql/route.js';
import { structureRoute } from './screens/structure/route.js';
import { tablesRoute } from './screens/tables/route.js';
import { usersRoute } from './screens/users/route.js';
import { rootRoute, signedInRoute } from './shell/root-route.js';
import { studioAddresses } from './studio-addresses.js';

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/projects', replace: true });
  },
});

const routeTree = rootRoute.addChildren([
  startRoute,
  signInRoute,
  invitationRoute,
  signedInRoute.addChildren([
    projectsRoute,
    projectLayoutRoute.addChildren([
      projectRoute,
      tablesRoute,
      structureRoute,
      diagramRoute,
      sqlRoute,
      policiesRoute,
      usersRoute,
      organizationsRoute,
      filesRoute,
      realtimeRoute,
      apiRoute,
      keysRoute,
      domainsRoute,
      requestsRoute,
      projectAuditRoute,
      settingsRoutes,
    ]),
    operatorsRoute,
    auditRoute,
    deploymentRoute,
    accountRoute,
  ]),
]);

/** The router of all screens, below the base that the server wrote into the page. */
export function createConsoleRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    basepath: new URL(document.baseURI).pathname,
    ...(isStudio() && { rewrite: studioAddresses }),
    defaultPreload: 'intent',
    scrollRestoration: false,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
