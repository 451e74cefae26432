// Where sign-ins with a provider begin, and links: by a redirect, or by an id token that a native application
// has got on its own.
import { createHash } from 'node:crypto';
import { APIError, BASE_ERROR_CODES } from '@better-auth/core/error';
import { decodeJwt } from 'jose';
import { isRecord } from '#libs/wire';
import { hook } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { textField, fieldIn, type Fields } from '../../fields.js';
import { textIn } from '../custom-oauth/foreign-values.js';
import { isForeignProvider } from '../custom-oauth/provider.js';
import { providerField, trustForLink } from './callbacks.js';
import { currentRoute } from '../../outgoing-messages.js';

/**
 * Prepares the body for the engine: addresses to come back to, the provider in the state, and an id token in
 * the engine's form. Throws PROVIDER_UNAVAILABLE (503) for a provider that cannot be asked now.
 */
export function begin({ settings }: AuthConfig) {
  return hook(async (ctx, body) => {
    if (!body) return undefined;
    const id = textField(body, 'provider');
    if (id === undefined) return undefined;
    const provider = ctx.context.socialProviders.find((each) => each.id === id);
    if (!provider) throw APIError.from('NOT_FOUND', BASE_ERROR_CODES.PROVIDER_NOT_FOUND);
    if (isForeignProvider(provider)) await provider.findEndpoints();
    const idToken = idTokenOf(body);
    if (currentRoute()?.provider === 'link') trustForLink(ctx.context, id);
    const callbackURL = textField(body, 'callbackURL') ?? settings['auth.urls'].siteUrl ?? '/';
    return {
      context: {
        body: {
          callbackURL,
          errorCallbackURL: textField(body, 'errorCallbackURL') ?? callbackURL,
          additionalData: { [providerField]: id },
          ...(idToken && { idToken }),
        },
      },
    };
  });
}

interface NativeToken {
  readonly token: string;
  readonly nonce?: string;
  readonly user?: unknown;
}

/** The token of a body: `{idToken, nonce}` as the platform has it, or `{idToken: {token, nonce}}`. */
function idTokenOf(body: Fields): NativeToken | undefined {
  const sent = body['idToken'];
  if (sent === undefined || sent === null) return undefined;
  const token = isRecord(sent) ? textField(sent, 'token') : textField(body, 'idToken');
  const nonce = textField(isRecord(sent) ? sent : body, 'nonce');
  if (token === undefined || token === '') throw invalidToken();
  // The person's name, which Apple sends to the application alone. Access tokens that a client sends along are
  // not used: nothing shows that they are the same person's.
  const user = fieldIn(sent, 'user');
  const claimed = checkNonce(token, nonce);
  return {
    token,
    ...(claimed !== undefined && { nonce: claimed }),
    ...(isRecord(user) && { user }),
  };
}

/**
 * The nonce that the engine is to find in the token. A token with a nonce is taken only with that nonce: a
 * stolen one is worth nothing without it. Native kits of some providers put its digest into the token.
 */
function checkNonce(token: string, nonce: string | undefined): string | undefined {
  const claim = nonceIn(token);
  if (claim === undefined && nonce === undefined) return undefined;
  if (claim === undefined || nonce === undefined || nonce === '') throw invalidToken();
  const digest = createHash('sha256').update(nonce).digest();
  const forms = [nonce, digest.toString('hex'), digest.toString('base64url')];
  if (!forms.includes(claim)) throw invalidToken();
  return claim;
}

/** Read before the token is verified: it can only lead to a refusal. */
function nonceIn(token: string): string | undefined {
  try {
    return textIn(decodeJwt(token), 'nonce');
  } catch {
    // Of whatever kind it is, it is none that says whom it is for.
    throw invalidToken();
  }
}

function invalidToken(): APIError {
  return APIError.from('UNAUTHORIZED', BASE_ERROR_CODES.INVALID_TOKEN);
}
