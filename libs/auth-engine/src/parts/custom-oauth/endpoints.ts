// The addresses at which a provider is called. They are in the settings, or in the provider's discovery
// document, which is fetched when it is needed first: a provider that is down neither delays nor breaks the
// project, and works as soon as it is back.
import { fail } from '#libs/errors';
import type { AuthConfig, OutboundCall } from '../../auth-config.js';
import { isWebAddress, jsonObject, textIn, textsIn } from './foreign-values.js';
import type { Fields } from '../../fields.js';

const discoveryTimeoutMs = 3000;
const maxAgeMs = 3_600_000;
/** How long a provider that did not answer is left alone. */
const retryPauseMs = 1000;

/** How a client shows its secret at the token endpoint (RFC 6749 §2.3.1). */
export type TokenAuthentication = 'basic' | 'post';

export interface Endpoints {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly userInfoUrl?: string | undefined;
  readonly issuer?: string | undefined;
  /** Of the keys that id tokens are signed with. */
  readonly keysUrl?: string | undefined;
  /** What id tokens may be signed by; absent: whatever is safe. */
  readonly algorithms?: readonly string[] | undefined;
  /** The ways that are tried, in this order. */
  readonly tokenAuthentication: readonly TokenAuthentication[];
  /** Whether every answer of the authorization endpoint names its issuer (RFC 9207 §3). */
  readonly answersNameIssuer: boolean;
}

export interface EndpointSource {
  /** Throws PROVIDER_UNAVAILABLE (503) while they cannot be found out. */
  find(): Promise<Endpoints>;
  /** Those that are known without asking. */
  known(): Endpoints | undefined;
}

/** Endpoints that need no asking. */
export function fixedEndpoints(endpoints: Endpoints): EndpointSource {
  return { find: () => Promise.resolve(endpoints), known: () => endpoints };
}

export interface DiscoveryOptions {
  readonly providerId: string;
  readonly discoveryUrl: string;
  /** Must be the document's when it is given. */
  readonly issuer: string | undefined;
  /** Addresses that count more than those of the document. */
  readonly given: Partial<Pick<Endpoints, 'authorizationUrl' | 'tokenUrl' | 'userInfoUrl'>>;
  readonly call: OutboundCall;
  readonly log: AuthConfig['log'];
}

/** The endpoints of a discovery document (OpenID Connect Discovery §4, RFC 8414 §3). */
export class DiscoveredEndpoints implements EndpointSource {
  readonly #options: DiscoveryOptions;
  #found: { readonly endpoints: Endpoints; readonly atMs: number } | undefined;
  #failedAtMs = -Infinity;
  #running: Promise<Endpoints> | undefined;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
  }

  known(): Endpoints | undefined {
    return this.#found?.endpoints;
  }

  async find(): Promise<Endpoints> {
    const found = this.#found;
    const now = performance.now();
    if (found && now - found.atMs < maxAgeMs) return found.endpoints;
    const isPausing = now - this.#failedAtMs < retryPauseMs;
    if (!isPausing) this.#running ??= this.#ask();
    // Old addresses serve until there are new ones. The failure of the attempt is logged where it occurs.
    if (found) {
      this.#running?.catch(() => undefined);
      return found.endpoints;
    }
    if (!this.#running) throw unavailable(this.#options.providerId);
    return this.#running;
  }

  async #ask(): Promise<Endpoints> {
    const { providerId, log } = this.#options;
    try {
      const endpoints = await discover(this.#options);
      this.#found = { endpoints, atMs: performance.now() };
      return endpoints;
    } catch (error) {
      this.#failedAtMs = performance.now();
      const message = `The discovery document of the provider ${providerId} cannot be used`;
      log({ level: 'warn', message, cause: error });
      throw unavailable(providerId, error);
    } finally {
      this.#running = undefined;
    }
  }
}

function unavailable(provider: string, cause?: unknown): Error {
  return fail('PROVIDER_UNAVAILABLE', { provider }, { cause });
}

async function discover(options: DiscoveryOptions): Promise<Endpoints> {
  const { discoveryUrl, given, call } = options;
  const answer = await call({
    url: discoveryUrl,
    headers: { accept: 'application/json' },
    timeoutMs: discoveryTimeoutMs,
  });
  if (answer.status !== 200) throw new Error(`discovery answered ${answer.status}`);
  const document = jsonObject(answer.text);
  if (!document) throw new Error('discovery answered no JSON object');
  const issuer = textIn(document, 'issuer');
  if (options.issuer !== undefined && issuer !== options.issuer) {
    throw new Error(`the document is of the issuer ${issuer ?? '(none)'}`);
  }
  return {
    authorizationUrl: given.authorizationUrl ?? neededAddress(document, 'authorization_endpoint'),
    tokenUrl: given.tokenUrl ?? neededAddress(document, 'token_endpoint'),
    userInfoUrl: given.userInfoUrl ?? addressIn(document, 'userinfo_endpoint'),
    issuer,
    keysUrl: addressIn(document, 'jwks_uri'),
    algorithms: textsIn(document, 'id_token_signing_alg_values_supported'),
    tokenAuthentication: authenticationIn(document),
    answersNameIssuer: document['authorization_response_iss_parameter_supported'] === true,
  };
}

function neededAddress(document: Fields, name: string): string {
  const address = addressIn(document, name);
  if (address === undefined) throw new Error(`the document has no ${name}`);
  return address;
}

/** A browser is sent to some of the addresses: nothing but the web is let through. */
function addressIn(document: Fields, name: string): string | undefined {
  const address = textIn(document, name);
  if (address === undefined || isWebAddress(address)) return address;
  throw new Error(`the document has a ${name} that is no web address`);
}

/** `client_secret_basic` is what a document without the list means (OpenID Connect Discovery §3). */
function authenticationIn(document: Fields): readonly TokenAuthentication[] {
  const named = textsIn(document, 'token_endpoint_auth_methods_supported') ?? [
    'client_secret_basic',
  ];
  const known = (['basic', 'post'] as const).filter((way) =>
    named.includes(`client_secret_${way}`),
  );
  return known.length > 0 ? known : ['basic'];
}
