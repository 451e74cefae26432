import { defineRequestState } from '@better-auth/core/context';
import { fail } from '#libs/errors';
import { hook } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { textField } from '../../fields.js';
import { withoutEncryptionMethods } from './encryption-methods.js';
import { maxResponseLength } from './engine-plugin.js';
import type { SamlConfig, SsoProvider } from './provider.js';
import { metadataExcess, responseExcess } from './saml-cost.js';
import type { SecretBox } from './sealed-secrets.js';
import { findUsableProvider } from './usable-provider.js';

export const acsPath = '/sso/saml2/sp/acs/:providerId';

/** SHA-1 in a signature or a digest, which the engine looks for in signatures alone. */
const sha1Pattern =
  /Algorithm\s*=\s*["']http:\/\/www\.w3\.org\/2000\/09\/xmldsig#(?:[\w-]*)sha1["']/i;

/**
 * The provider that a response is for, found before the transaction of the sign-in begins: inside of it no request
 * may wait for a second connection, which other waiting requests might hold.
 */
export const providerOfRequest = defineRequestState<SsoProvider | undefined>(() => undefined);

/** Refuses responses that the engine need not, or would not, look into, and those that it would read for long. */
export function samlGate(config: AuthConfig, box: SecretBox) {
  return {
    matcher: ({ path }: { readonly path?: string }) => path === acsPath,
    handler: hook(async (ctx, body) => {
      const params: unknown = ctx.params;
      const provider = await findUsableProvider(config, textField(params, 'providerId') ?? '');
      if (provider?.protocol.kind !== 'saml') throw fail('SSO_PROVIDER_NOT_FOUND');
      await checkMetadata(provider.protocol.config);
      const response = textField(body, 'SAMLResponse') ?? '';
      const document = {
        config: box.open(provider.protocol.config),
        baseUrl: ctx.context.baseURL,
        providerId: provider.providerId,
        response,
      };
      const xml = Buffer.from(response, 'base64').toString('utf8');
      const reason = problemOf(response, xml) ?? (await responseExcess(xml, document));
      if (reason !== undefined) throw fail('SSO_RESPONSE_INVALID', { reason });
      await providerOfRequest.set(provider);
    }),
  };
}

/** Throws SSO_PROVIDER_INVALID when the metadata of the provider would be read for too long. */
export async function checkMetadata(config: SamlConfig): Promise<void> {
  const excess = await metadataExcess(config);
  if (excess === undefined) return;
  throw fail('SSO_PROVIDER_INVALID', { reason: `of its metadata, ${excess}` });
}

function problemOf(response: string, xml: string): string | undefined {
  if (response === '') return 'there is none';
  if (response.length > maxResponseLength) return `it has more than ${maxResponseLength} bytes`;
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) return 'it has a document type';
  return sha1Pattern.test(withoutEncryptionMethods(xml)) ? 'it is signed with SHA-1' : undefined;
}
