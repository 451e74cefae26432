import type { OAuth2Tokens } from '@better-auth/core/oauth2';
import type { OutboundCall } from '../../auth-config.js';
import type { Endpoints, TokenAuthentication } from './endpoints.js';
import { jsonObject, textIn } from './foreign-values.js';
import type { Fields } from '../../fields.js';

const timeoutMs = 5000;
/** Longer lives are cut: PostgreSQL would not store what some servers mean by "for ever". */
const maxLifeSeconds = 10 * 365 * 86_400;

/** The application at the provider. */
export interface ForeignClient {
  readonly id: string;
  /** Absent for a public client. */
  readonly secret: string | undefined;
}

export interface TokenRequest {
  readonly endpoints: Pick<Endpoints, 'tokenUrl' | 'tokenAuthentication'>;
  readonly client: ForeignClient;
  /** The grant (RFC 6749 §4.1.3, §6). */
  readonly form: Readonly<Record<string, string>>;
  readonly call: OutboundCall;
}

/**
 * The tokens that a provider gives for a grant. Throws when it gives none, and the errors of `call`. Where
 * the provider takes the secret in several ways, the next way is tried after a refusal.
 */
export async function requestTokens(request: TokenRequest): Promise<OAuth2Tokens> {
  const { client, endpoints } = request;
  const ways = client.secret === undefined ? (['post'] as const) : endpoints.tokenAuthentication;
  let refusal = 'no way to authenticate is known';
  for (const way of ways) {
    // One way after the other: only the refusal of one is a reason for the next.
    const { status, text } = await ask(request, way);
    const body = jsonObject(text);
    const error = textIn(body, 'error');
    if (status === 200 && body && error === undefined) return tokensIn(body);
    refusal = `${status} ${error ?? ''}`.trim();
    if (error !== 'invalid_client') break;
  }
  throw new Error(`the token endpoint answered ${refusal}`);
}

function ask({ endpoints, client, form, call }: TokenRequest, way: TokenAuthentication) {
  const isBasic = way === 'basic' && client.secret !== undefined;
  const credentials = {
    client_id: client.id,
    ...(client.secret !== undefined && { client_secret: client.secret }),
  };
  return call({
    url: endpoints.tokenUrl,
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(isBasic && { authorization: basic(client.id, client.secret ?? '') }),
    },
    body: new URLSearchParams({ ...form, ...(!isBasic && credentials) }).toString(),
    timeoutMs,
  });
}

/** Both halves are encoded as in a form first (RFC 6749 §2.3.1). */
function basic(id: string, secret: string): string {
  const encoded = [id, secret].map((half) => new URLSearchParams({ v: half }).toString().slice(2));
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
}

function tokensIn(body: Fields): OAuth2Tokens {
  const accessToken = textIn(body, 'access_token');
  const idToken = textIn(body, 'id_token');
  if (accessToken === undefined && idToken === undefined) {
    throw new Error('the token endpoint answered no token');
  }
  return {
    tokenType: textIn(body, 'token_type'),
    accessToken,
    idToken,
    refreshToken: textIn(body, 'refresh_token'),
    accessTokenExpiresAt: endOfLife(body, 'expires_in'),
    refreshTokenExpiresAt: endOfLife(body, 'refresh_token_expires_in'),
    scopes: textIn(body, 'scope')?.split(/\s+/).filter(Boolean) ?? [],
  };
}

function endOfLife(body: Fields, name: string): Date | undefined {
  const seconds = Number(body[name]);
  if (!Number.isFinite(seconds) || seconds <= 0) return undefined;
  return new Date(Date.now() + Math.min(seconds, maxLifeSeconds) * 1000);
}
