import { expect, test } from 'vitest';

import { studioAddresses } from './studio-addresses.js';

const at = (path: string): { readonly url: URL } => ({ url: new URL(path, 'http://shop.test') });
const pathOf = ({ pathname, search }: URL): string => pathname + search;

test.each([
  { browser: '/', route: '/projects/studio' },
  { browser: '/tables', route: '/projects/studio/tables' },
  { browser: '/tables?table=notes', route: '/projects/studio/tables?table=notes' },
  { browser: '/settings/email.smtp', route: '/projects/studio/settings/email.smtp' },
  { browser: '/sign-in?to=%2Fstudio%2Fsql', route: '/sign-in?to=%2Fstudio%2Fsql' },
  { browser: '/account', route: '/account' },
  { browser: '/keys', route: '/keys' },
])('$browser is the route $route, and back', ({ browser, route }) => {
  expect(pathOf(studioAddresses.input(at(browser)))).toBe(route);
  expect(pathOf(studioAddresses.output(at(route)))).toBe(browser);
});

test.each([
  { name: 'the list of projects is the home', route: '/projects', browser: '/' },
  { name: 'the start is the home', route: '/', browser: '/' },
])('$name', ({ route, browser }) => {
  expect(pathOf(studioAddresses.output(at(route)))).toBe(browser);
});

test.each(['/projects', '/projects/other/tables', '/invitation'])(
  'a page of the console is none of the studio: %s',
  (path) => {
    expect(pathOf(studioAddresses.input(at(path)))).toBe(`/projects/studio${path}`);
  },
);
