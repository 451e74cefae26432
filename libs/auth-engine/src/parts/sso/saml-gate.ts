import { defineRequestState } from '@better-auth/core/context';
import { createAuthMiddleware } from 'better-auth/api';
import { fail } from '#libs/errors';
import type { AuthConfig } from '../../auth-config.js';
import { textField } from '../../body-rules.js';
import { refusal } from '../../refusal.js';
import { withoutEncryptionMethods } from './encryption-methods.js';
import type { SsoProvider } from './provider.js';
import { findUsableProvider } from './usable-provider.js';
import { xmlExcess } from './xml-size.js';

export const acsPath = '/sso/saml2/sp/acs/:providerId';

/** As the response is sent, in base64. */
export const maxResponseLength = 256 * 1024;

/** Of a response; those of the usual identity providers have 60 to 450, most of them for groups. */
const maxTags = 600;

/** SHA-1 in a signature or a digest, which the engine looks for in signatures alone. */
const sha1Pattern =
  /Algorithm\s*=\s*["']http:\/\/www\.w3\.org\/2000\/09\/xmldsig#(?:[\w-]*)sha1["']/i;

/**
 * The provider that a response is for, found before the transaction of the sign-in begins: inside of it nobody
 * may wait for a second connection, which others who wait for one, too, might hold.
 */
export const providerOfRequest = defineRequestState<SsoProvider | undefined>(() => undefined);

/** Refuses responses that the engine need not, or would not, look into. */
export function samlGate(config: AuthConfig) {
  return {
    matcher: ({ path }: { readonly path?: string }) => path === acsPath,
    handler: createAuthMiddleware(async (ctx) => {
      const params: unknown = ctx.params;
      const provider = await findUsableProvider(config, textField(params, 'providerId') ?? '');
      if (provider?.protocol.kind !== 'saml') throw refusal(fail('SSO_PROVIDER_NOT_FOUND'));
      const response = textField(ctx.body, 'SAMLResponse') ?? '';
      const reason = problemOf(response);
      if (reason !== undefined) throw refusal(fail('SSO_RESPONSE_INVALID', { reason }));
      await providerOfRequest.set(provider);
    }),
  };
}

function problemOf(response: string): string | undefined {
  if (response === '') return 'there is none';
  if (response.length > maxResponseLength) return `it has more than ${maxResponseLength} bytes`;
  const xml = Buffer.from(response, 'base64').toString('utf8');
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) return 'it has a document type';
  const excess = xmlExcess(xml, maxTags);
  if (excess !== undefined) return excess;
  return sha1Pattern.test(withoutEncryptionMethods(xml)) ? 'it is signed with SHA-1' : undefined;
}
