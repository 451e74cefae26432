// The screens of the console, for their pictures (`npm run pictures`) and their figures (`npm run console-figures`).
// A new screen is one entry here.
import type { Page } from 'playwright-core';

/** What is clicked: an element that has this name, within another one. */
export interface ClickTarget {
  /** CSS selector. */
  readonly selector: string;
  readonly name: string;
}

export interface Screen {
  /** Names the picture: `docs/pictures/<name>.png`. */
  readonly name: string;
  readonly title: string;
  /** The address; `:ref` is the ref of the project, `:query` the id of a saved query. */
  readonly path: string;
  /** A part of the content that is there when the screen can be used. */
  readonly ready: string;
  /** Before the sign-in. */
  readonly isPublic?: boolean;
  /** How the screen is opened by a click; absent: it is measured by its address alone. */
  readonly way?: Way;
  /** What is done before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<void>;
}

export interface Way {
  /** The address of the screen before. */
  readonly from: string;
  /** A part of its content. */
  readonly fromReady: string;
  /** Opens the menu that the target is in. */
  readonly menu?: ClickTarget;
  readonly click: ClickTarget;
  /** What is there after the click, if it is not all that the picture shows. */
  readonly ready?: string;
}

const home = { from: '/projects/:ref', fromReady: 'The database answers' } as const;

const inNavigation = (name: string): ClickTarget => ({
  selector: 'nav[aria-label="Screens of the project"] a',
  name,
});

/** A screen that the navigation of a project opens. `openedReady`: as in {@link Way}. */
function ofProject(
  title: string,
  ready: string,
  { openedReady, ...more }: Partial<Screen> & { readonly openedReady?: string } = {},
): Screen {
  const name = title.toLowerCase();
  return {
    name,
    title,
    path: `/projects/:ref/${name}`,
    ready,
    way: {
      ...home,
      click: inNavigation(title),
      ...(openedReady !== undefined && { ready: openedReady }),
    },
    ...more,
  };
}

/** A screen of the whole deployment, which the head of each page leads to. */
function ofDeployment(title: string, ready: string): Screen {
  const name = title.toLowerCase();
  const click = { selector: 'nav[aria-label="Deployment"] a', name: title };
  return { name, title, path: `/${name}`, ready, way: { ...home, click } };
}

export const screens: readonly Screen[] = [
  { name: 'sign-in', title: 'Sign-in', path: '/sign-in', ready: 'Email address', isPublic: true },
  {
    name: 'projects',
    title: 'Projects',
    path: '/projects',
    ready: 'Recipe blog',
    way: { ...home, click: { selector: 'nav[aria-label="Way back"] a', name: 'Projects' } },
  },
  {
    name: 'home',
    title: 'Home of a project',
    path: home.from,
    ready: home.fromReady,
    way: {
      from: '/projects/:ref/policies',
      fromReady: 'own_orders',
      click: inNavigation('Home'),
    },
  },
  ofProject('Tables', 'Moka pot', {
    path: '/projects/:ref/tables?table=products',
    openedReady: 'Choose a table from the list',
  }),
  ofProject('Structure', 'placed_at', {
    path: '/projects/:ref/structure?table=orders',
    openedReady: 'shelf',
  }),
  ofProject('Diagram', 'order_items'),
  ofProject('SQL', 'Revenue by day', {
    path: '/projects/:ref/sql?open=:query',
    prepare: runQuery,
  }),
  ofProject('Policies', 'own_orders'),
  ofProject('Users', 'Grace Hopper'),
  ofProject('Organizations', 'Grinders’ guild'),
  ofProject('Files', 'product-1.png', {
    path: '/projects/:ref/files?bucket=products',
    openedReady: 'Pictures of products',
  }),
  ofProject('Realtime', 'Join a channel'),
  ofProject('API', 'OpenAPI document'),
  ofProject('Keys', 'Signing keys'),
  ofProject('Domains', 'Origins (CORS)'),
  // The home has a failed request of this path, too.
  ofProject('Requests', '/rest/v1/:table', { openedReady: 'Began' }),
  ofProject('Audit', 'Saved a query'),
  ofProject('Settings', 'Callback URL'),
  ofDeployment('Operators', 'operator@rowhouse.test'),
  {
    ...ofDeployment('Audit log', 'Saved a query'),
    name: 'audit-log',
    path: '/audit',
  },
  {
    name: 'deployment',
    title: 'Deployment',
    path: '/deployment',
    ready: 'Versions and process',
    way: {
      ...home,
      menu: { selector: 'header button', name: 'Your account' },
      click: { selector: '[role=menuitem]', name: 'Deployment' },
    },
  },
  {
    name: 'account',
    title: 'Account and security',
    path: '/account',
    ready: 'This session',
    way: {
      ...home,
      menu: { selector: 'header button', name: 'Your account' },
      click: { selector: '[role=menuitem]', name: 'Account and security' },
    },
  },
];

/** What is opened within a screen: measured, and without a picture. */
export const parts: readonly Screen[] = [
  {
    name: 'rows',
    title: 'Rows of a table',
    path: '/projects/:ref/tables?table=products',
    ready: 'Moka pot',
    way: {
      from: '/projects/:ref/tables',
      fromReady: 'Choose a table from the list',
      click: { selector: 'nav[aria-label="Tables"] a', name: 'products' },
    },
  },
  {
    name: 'user',
    title: 'Details of a user',
    path: '/projects/:ref/users',
    ready: 'Identities',
    way: {
      from: '/projects/:ref/users',
      fromReady: 'Grace Hopper',
      click: { selector: '[role=table] button', name: 'Grace Hopper' },
    },
  },
  {
    name: 'settings-group',
    title: 'A group of settings',
    path: '/projects/:ref/settings/auth.sessions',
    ready: 'History',
    way: {
      from: '/projects/:ref/settings',
      fromReady: 'Callback URL',
      click: { selector: 'nav a', name: 'Sessions' },
    },
  },
];

/** Those with these names; all without a name. Throws for a name that none has. */
export function chosen(from: readonly Screen[], names: readonly string[]): readonly Screen[] {
  const unknown = names.find((name) => !from.some((screen) => screen.name === name));
  if (unknown !== undefined) {
    const known = from.map(({ name }) => name).join(', ');
    throw new Error(`there is no screen "${unknown}"; there are ${known}`);
  }
  return from.filter(({ name }) => names.length === 0 || names.includes(name));
}

async function runQuery(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('region', { name: 'Results' }).getByRole('grid').waitFor();
}
