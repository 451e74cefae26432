import type { IncomingMessage, ServerResponse } from 'node:http';

import { type CryptoKey, decodeJwt, type JWTPayload, SignJWT } from 'jose';

const markHeader = 'x-unaltered';

interface TokenCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly change: (claims: JWTPayload) => JWTPayload;
  readonly kid: string;
  readonly privateKey: CryptoKey;
}

/** Whether a request to the token endpoint is the one that {@link alteredIdToken} makes. */
export function isUnalteredCall(request: IncomingMessage): boolean {
  return request.headers[markHeader] !== undefined;
}

/**
 * Answers a request to the token endpoint with what the provider answers, but with other claims in the id
 * token, signed again. The provider is asked over HTTP, so that its code stays as it is.
 */
export async function alteredIdToken(call: TokenCall): Promise<void> {
  const { request, response, change, kid, privateKey } = call;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const { authorization, 'content-type': type = '', host = '' } = request.headers;
  const answer = await fetch(`http://${host}${request.url ?? ''}`, {
    method: 'POST',
    headers: {
      [markHeader]: '1',
      'content-type': type,
      ...(authorization !== undefined && { authorization }),
    },
    body: Buffer.concat(chunks),
  });
  const tokens: unknown = await answer.json();
  const idToken: unknown =
    typeof tokens === 'object' && tokens !== null ? Reflect.get(tokens, 'id_token') : undefined;
  const body =
    typeof tokens === 'object' && typeof idToken === 'string'
      ? {
          ...tokens,
          id_token: await new SignJWT(change(decodeJwt(idToken)))
            .setProtectedHeader({ alg: 'RS256', kid })
            .sign(privateKey),
        }
      : tokens;
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
