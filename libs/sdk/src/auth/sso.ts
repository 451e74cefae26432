/** Identity providers of organizations, and who may manage them is the server's matter. */
import { attempt, type AuthAnswer, needTexts, type Wire } from './wire.js';

export interface OidcConfig {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where the provider describes itself. Default: at its issuer. */
  readonly discoveryEndpoint?: string;
  readonly scopes?: readonly string[];
  readonly [field: string]: unknown;
}

/** One of the two configurations says how the provider speaks. */
export interface SsoProviderInput {
  readonly providerId: string;
  readonly issuer: string;
  /** Users whose addresses are in this domain sign in here. */
  readonly domain: string;
  /** Absent for a provider of the whole project. */
  readonly organizationId?: string;
  readonly oidcConfig?: OidcConfig;
  readonly samlConfig?: Readonly<Record<string, unknown>>;
}

/** A provider as it is listed: without its secrets. */
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
  /** Fields that are not given stay as they are. */
  readonly oidcConfig?: Partial<OidcConfig>;
  readonly samlConfig?: Readonly<Record<string, unknown>>;
}

export class SsoClient {
  readonly #wire: Wire;

  /** @internal Clients make it. */
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

  /** Changes the fields that are given, of configurations too. */
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
