// The console's statement about an operator when it forwards a request to a project: a short-lived token, signed with a
// key that both applications derive from the master key, valid for one project only.
import { createHmac, timingSafeEqual } from 'node:crypto';

export const assertionLifetimeSeconds = 60;
export const assertionHeader = 'x-rowhouse-operator';

/** The content of an assertion. Times are seconds since 1970. */
export interface OperatorAssertion {
  readonly ref: string;
  readonly operatorId: string;
  readonly email: string;
  readonly capabilities: readonly string[];
  readonly expiresAt: number;
}

/** Returns the token `<base64url of the content>.<base64url of its HMAC-SHA256>`. */
export function signAssertion(key: Buffer, assertion: OperatorAssertion): string {
  const content = Buffer.from(JSON.stringify(assertion)).toString('base64url');
  return `${content}.${signatureOf(key, content)}`;
}

/** Returns the assertion in `token`, or undefined if it is forged, expired or meant for another project. */
export function verifyAssertion(
  key: Buffer,
  token: string,
  expected: { readonly ref: string; readonly nowSeconds: number },
): OperatorAssertion | undefined {
  const [content, signature, ...rest] = token.split('.');
  if (content === undefined || signature === undefined || rest.length > 0) return undefined;
  const wanted = Buffer.from(signatureOf(key, content));
  const given = Buffer.from(signature);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
  // The signature is ours, so the content has the shape that signAssertion gave it.
  const assertion = JSON.parse(Buffer.from(content, 'base64url').toString()) as OperatorAssertion;
  const isCurrent =
    assertion.expiresAt > expected.nowSeconds &&
    assertion.expiresAt <= expected.nowSeconds + assertionLifetimeSeconds;
  return isCurrent && assertion.ref === expected.ref ? assertion : undefined;
}

function signatureOf(key: Buffer, content: string): string {
  return createHmac('sha256', key).update(content).digest('base64url');
}
