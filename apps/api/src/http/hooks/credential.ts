// The credential in two steps, with the CAPTCHA between them: the headers are read first, so that a request with a
// wrong key costs no check of a proof; uses are counted and tokens verified last.
import type { FastifyRequest } from 'fastify';

import type { ProjectRuntime } from '#libs/project-runtime';
import { assertionHeader } from '#libs/secrets';
import { decodeComponent } from '#libs/wire';

import type { RouteRule } from '../access.js';
import { cookieIn } from '../cookies.js';
import { readCredential, readOperator, settleCredential } from '../credential.js';
import { credentialContext } from '../credential-context.js';
import type { ProjectStep } from './project-hook.js';
import { isTrustedPage } from './trusted-page.js';

/** A signature in the query of a link, which is its proof. */
const signature = /^[^?]*\?(?:[^#]*&)?sig=/;

/** Reads what the headers show. Throws INVALID_API_KEY, IMPERSONATION_REFUSED, INVALID_OPERATOR_ASSERTION. */
export function readShownCredential(assertionKey: Buffer, now: () => number): ProjectStep {
  return (request, _reply, scope) => {
    const project = scope.lease.value;
    const { headers, url } = request;
    const isAsserted = headers[assertionHeader] !== undefined;
    const context = credentialContext(project, {
      assertionKey,
      now,
      isOnRows: scope.rule.area === 'rest',
      areKeysEnforced: project.rules.areKeysEnforced && !isAsserted && isKeyNeeded(scope.rule, url),
      sessionCookie: () => cookieOf(request, project),
    });
    const operator = readOperator(headers, context);
    scope.isOfOperator = operator !== undefined;
    scope.shown = readCredential(headers, context, operator);
  };
}

/** Counts the use of a user's API key, verifies a foreign token. Throws API_KEY_EXHAUSTED, ISSUER_UNAVAILABLE. */
export const settleShownCredential: ProjectStep = (_request, _reply, scope) => {
  const { guards, auth } = scope.lease.value;
  // The engine counts the uses of keys on its own routes.
  const countedUses = scope.rule.servedBy === 'engine' ? undefined : auth.keyUses;
  const sources = { keyUses: countedUses, thirdParty: guards.thirdParty };
  const credential = settleCredential(scope.shown, sources);
  if (!(credential instanceof Promise)) {
    scope.credential = credential;
    return undefined;
  }
  return credential.then((settled) => {
    scope.credential = settled;
  });
};

function isKeyNeeded({ projectKey }: RouteRule, url: string): boolean {
  return projectKey === 'needed' || (projectKey === 'unless-signed' && !signature.test(url));
}

/**
 * The session cookie, unless a page of a foreign origin sent it: a browser treats sibling projects as one site, so
 * SameSite alone does not separate them.
 */
function cookieOf(request: FastifyRequest, project: ProjectRuntime): string | undefined {
  const { cookie, origin } = request.headers;
  if (cookie === undefined) return undefined;
  if (origin !== undefined && !isTrustedPage(request, project)) return undefined;
  const value = cookieIn(cookie, project.rules.sessionCookie);
  return value === undefined ? undefined : decodeComponent(value);
}
