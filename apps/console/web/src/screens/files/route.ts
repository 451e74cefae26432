import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { searchText } from '../../shell/search-text.js';
import { projectLayoutRoute } from '../project/layout-route.js';
import type { FilesSearch } from './files-search.js';

export const filesRoute = createRoute({
  getParentRoute: () => projectLayoutRoute,
  path: '/files',
  // The page checks the texts further (search.ts): what the first load has is as small as it can be.
  validateSearch: (given: Record<string, unknown>): FilesSearch => {
    const text = (name: keyof FilesSearch): string | undefined => searchText(given[name]);
    return {
      bucket: text('bucket'),
      part: text('part'),
      in: text('in'),
      q: text('q'),
      sort: text('sort'),
      open: text('open'),
    };
  },
  component: lazyRouteComponent(() => import('./files-page.js'), 'FilesPage'),
});
