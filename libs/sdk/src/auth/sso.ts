/** Identity providers of organizations. The server decides who may manage them. */
import { attempt, type AuthAnswer, needTexts, type Wire } from './wire.js';

export interface OidcConfig {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The address of the provider's metadata. Default: at its issuer. */
  readonly discoveryEndpoint?: string;
  readonly scopes?: readonly string[];
  readonly [field: string]: unknown;
}

/** One of the two configurations selects the protocol of the provider. */
export interface SsoProviderInput {
  readonly providerId: string;
  readonly issuer: string;
  /** Users with addresses in this domain sign in with this provider. */
  readonly domain: string;
  /** Absent for a provider of the whole project. */
  readonly organizationId?: string;
  readonly oidcConfig?: OidcConfig;
  readonly samlConfig?: Readonly<Record<string, unknown>>;
}

/** A provider in a list: without its secrets. */
export interface SsoProvider {
  readonly providerId: string;
  readonly issuer: string;
  readonly domain: string;
  readonly organizationId?: string | null;
  readonly oidcConfig?: Readonly<Record<string, unknown>> | null;
  readonly samlConfig?: Readonly<Record<string, unknown>> | null;
  readonly [field: string]: unknown;
}

export interface SsoProviderUpdate {
  readonly providerId: string;
  readonly issuer?: string;
  readonly domain?: string;
  /** Fields that are not given are unchanged. */
  readonly oidcConfig?: Partial<OidcConfig>;
  readonly samlConfig?: Readonly<Record<string, unknown>>;
}

export class SsoClient {
  readonly #wire: Wire;

  /** @internal Created by the client. */
  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** Adds a provider. `redirectURI` is the callback to register there. */
  register(
    provider: SsoProviderInput,
  ): Promise<AuthAnswer<SsoProvider & { readonly redirectURI: string }>> {
    return attempt(() => this.#wire.post('/sso/register', provider));
  }

  /** The providers that the caller may manage. */
  list(): Promise<AuthAnswer<{ readonly providers: readonly SsoProvider[] }>> {
    return attempt(async () => {
      type Listed = readonly SsoProvider[] | { readonly providers: readonly SsoProvider[] };
      const answer = await this.#wire.get<Listed>('/sso/providers');
      return 'providers' in answer ? answer : { providers: answer };
    });
  }

  get({ providerId }: Pick<SsoProvider, 'providerId'>): Promise<AuthAnswer<SsoProvider>> {
    return attempt(async () => {
      needTexts({ providerId });
      return this.#wire.get('/sso/get-provider', { providerId });
    });
  }

  /** Changes the given fields, also of configurations. */
  update(provider: SsoProviderUpdate): Promise<AuthAnswer<SsoProvider>> {
    return attempt(() => this.#wire.post('/sso/update-provider', provider));
  }

  delete({ providerId }: Pick<SsoProvider, 'providerId'>): Promise<AuthAnswer<unknown>> {
    return attempt(async () => {
      needTexts({ providerId });
      return this.#wire.post('/sso/delete-provider', { providerId });
    });
  }
}
