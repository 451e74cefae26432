// The addresses of the studio. They are those of the console's screens of one project, without the project: `/tables`
// for `/projects/studio/tables`. So the studio has the routes and links of the console, and no screen knows of it.
import { studioRef } from './api/place.js';

interface Place {
  readonly url: URL;
}

const home = `/projects/${studioRef}`;
/** What is not below a project: screens of the account, and those of the platform, which are no page here. */
const apart = new Set(['/sign-in', '/account', '/keys', '/domains']);

/** Below the base of the document, how an address of the browser becomes one of the routes, and back. */
export const studioAddresses = {
  input: ({ url }: Place): URL => {
    if (!apart.has(url.pathname)) url.pathname = url.pathname === '/' ? home : home + url.pathname;
    return url;
  },
  // The list of projects is the home of the only one.
  output: ({ url }: Place): URL => {
    url.pathname = url.pathname.replace(/^\/projects(?:\/[^/]+)?(?=\/|$)/, '') || '/';
    return url;
  },
};
