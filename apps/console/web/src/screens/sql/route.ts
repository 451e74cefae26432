import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { projectLayoutRoute } from '../project/layout-route.js';

/** What the address of the editor says. */
export interface SqlSearch {
  /** The id of the open tab, which is that of a saved query or of a new text. */
  readonly open?: string | undefined;
}

export const sqlRoute = createRoute({
  getParentRoute: () => projectLayoutRoute,
  path: '/sql',
  validateSearch: (given: Record<string, unknown>): SqlSearch => {
    const { open } = given;
    return { open: typeof open === 'string' && open !== '' ? open : undefined };
  },
  component: lazyRouteComponent(() => import('./sql-page.js'), 'SqlPage'),
});
