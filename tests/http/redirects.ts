// What the tests of redirects share: which routes redirect, and what it means to lead away.
import type { Reply } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';
import { EVIL_TARGETS } from '../auth-engine/mail-links.js';
import { site } from './complete-project.js';

/** The routes that answer by a redirect. Each is tried with a real link in `auth-redirects.long.test.ts`. */
export const REDIRECTING: ReadonlySet<string> = new Set([
  'GET /api/auth/magic-link/verify',
  'POST /api/auth/magic-link/verify',
  'POST /api/auth/verify-email',
  'GET /api/auth/reset-password/:token',
  'POST /api/auth/upgrade-anonymous/confirm',
  'POST /api/auth/admin-link/verify',
  'GET /api/auth/callback/:provider',
  'POST /api/auth/callback/:provider',
  'GET /api/auth/oauth2/callback/:providerId',
  'GET /api/auth/sso/callback/:providerId',
  'POST /api/auth/sso/saml2/sp/acs/:providerId',
]);

/** The address of the project, as its links have it. */
export function originOf(project: ProjectUnderTest): string {
  return `http://${project.host}:${new URL(project.apiOrigin).port}`;
}

/** Where an answer sends the browser, or a page offers to go, outside of the project and its application. */
export function leadsAway(project: ProjectUnderTest, reply: Reply): string | undefined {
  const { headers, body, text } = reply;
  const named = typeof body === 'object' && body !== null ? Reflect.get(body, 'url') : undefined;
  const isPage = headers['content-type']?.startsWith('text/html') ?? false;
  const offered = isPage ? EVIL_TARGETS.filter((target) => text.includes(target)) : [];
  const ends = [headers.location, typeof named === 'string' ? named : undefined, ...offered];
  return ends.find((end) => end !== undefined && !isOwn(project, end));
}

function isOwn(project: ProjectUnderTest, end: string): boolean {
  if (EVIL_TARGETS.some((target) => end.startsWith(target))) return false;
  const { origin } = new URL(end, originOf(project));
  return origin === site || origin === originOf(project);
}
