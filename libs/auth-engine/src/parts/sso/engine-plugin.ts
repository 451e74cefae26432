// The part of `@better-auth/sso` that is used, described here: its own types bring those of a browser's page
// along, and then `window` would compile everywhere.
import type { BetterAuthPlugin } from 'better-auth';
import { loadPackage } from '../../load-package.js';

type Endpoint = NonNullable<BetterAuthPlugin['endpoints']>[string];

/** What the plugin knows about a person when a SAML response has been found good. */
export interface SamlIdentity {
  readonly providerId: string;
  readonly accountKey: { readonly accountId: string };
  readonly providerUser: { readonly email: string; readonly name: string };
}

/** What becomes of a person: `continue` makes an account. */
export type Resolution =
  | { readonly action: 'continue' }
  | { readonly action: 'link'; readonly userId: string; readonly profile: 'preserve' }
  | { readonly action: 'reject'; readonly code: string; readonly message: string };

export interface SsoPluginOptions {
  readonly resolveUser: (identity: SamlIdentity) => Promise<Resolution>;
  readonly organizationProvisioning: { readonly disabled: true };
  readonly saml: {
    readonly enableInResponseToValidation: true;
    readonly allowIdpInitiated: false;
    readonly requireTimestamps: true;
    /** Milliseconds. */
    readonly clockSkew: number;
    /** Bytes of the response in base64. */
    readonly maxResponseSize: number;
    readonly algorithms: { readonly onDeprecated: 'reject' };
  };
}

/** Of a response as it is sent, in base64. */
export const maxResponseLength = 256 * 1024;

interface SsoPlugin extends BetterAuthPlugin {
  readonly endpoints: Readonly<Record<'spMetadata' | 'signInSSO' | 'acsEndpoint', Endpoint>>;
}

interface EnginePackage {
  readonly sso: (options: SsoPluginOptions) => SsoPlugin;
  /** Throws for a configuration that cannot be used. */
  readonly deriveSAMLIdentityProviderEntityID: (config: object) => unknown;
}

/** How the plugin reads responses. */
export const samlOptions: SsoPluginOptions['saml'] = {
  enableInResponseToValidation: true,
  allowIdpInitiated: false,
  requireTimestamps: true,
  clockSkew: 60_000,
  maxResponseSize: maxResponseLength,
  algorithms: { onDeprecated: 'reject' },
};

/** The package, with all that reads XML. Throws INTERNAL_ERROR when it cannot be loaded. */
export function loadEnginePackage(): Promise<EnginePackage> {
  // The cast keeps the compiler from following the name to the package's types.
  return loadPackage<EnginePackage>(() => import('@better-auth/sso' as string));
}
