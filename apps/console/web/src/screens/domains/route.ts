import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { projectLayoutRoute } from '../project/layout-route.js';

export interface DomainsSearch {
  /** The address of a page whose origin is checked. */
  readonly origin?: string | undefined;
}

export const domainsRoute = createRoute({
  getParentRoute: () => projectLayoutRoute,
  path: '/domains',
  validateSearch: ({ origin }: Record<string, unknown>): DomainsSearch => ({
    origin: typeof origin === 'string' ? origin : undefined,
  }),
  component: lazyRouteComponent(() => import('./domains-page.js'), 'DomainsPage'),
});
