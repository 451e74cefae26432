import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { searchText } from '../../shell/search-text.js';
import { projectLayoutRoute } from '../project/layout-route.js';

/** What the address of the settings says, on each of their pages. */
export interface SettingsSearch {
  /** What is searched for in the groups and their fields. */
  readonly find?: string | undefined;
}

export interface PartSearch extends SettingsSearch {
  /** The open tab of a group; the form unless it is given. */
  readonly tab?: string | undefined;
  /** The field that the page shows first. */
  readonly field?: string | undefined;
  /** The kind of mail in the editor of templates. */
  readonly mail?: string | undefined;
  /** Messages or deliveries in this state alone. */
  readonly state?: string | undefined;
}

export const settingsRoute = createRoute({
  getParentRoute: () => projectLayoutRoute,
  path: '/settings',
  validateSearch: (given: Record<string, unknown>): SettingsSearch => ({
    find: searchText(given['find']),
  }),
  component: lazyRouteComponent(() => import('./settings-layout.js'), 'SettingsLayout'),
});

const overviewRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./overview-page.js'), 'OverviewPage'),
});

/** A group by its name, or one of the lists of messages. */
const partRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/$part',
  validateSearch: (given: Record<string, unknown>): PartSearch => ({
    tab: searchText(given['tab']),
    field: searchText(given['field']),
    mail: searchText(given['mail']),
    state: searchText(given['state']),
  }),
  component: lazyRouteComponent(() => import('./part-page.js'), 'PartPage'),
});

export const settingsRoutes = settingsRoute.addChildren([overviewRoute, partRoute]);
