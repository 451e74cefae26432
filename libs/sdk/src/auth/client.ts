/** The accounts of a project: `client.auth`. */
import type { Exchange } from '../request.js';
import { AccountMethods } from './account.js';
import { AdminClient } from './admin.js';
import { ApiKeyClient } from './api-keys.js';
import { MfaClient } from './mfa.js';
import { OrganizationClient } from './organization.js';
import { PasskeyClient } from './passkey.js';
import type { SessionSource } from './session-source.js';
import { SsoClient } from './sso.js';
import { Wire } from './wire.js';

export interface AuthClientParts {
  readonly source: SessionSource;
  /** Sends requests with the authorization in the client's headers. */
  readonly exchange: Exchange;
  /** Sends requests as the signed-in user. */
  readonly exchangeAsUser: Exchange;
  /** Whether a page signs in with the code in its address. */
  readonly detectSessionInUrl: boolean;
}

/**
 * Everything about accounts and sessions. Methods resolve with `{ data, error }` and never reject: a refusal of the
 * server has its status, a call with invalid arguments has the status 400 and the code INVALID_INPUT.
 */
export class AuthClient extends AccountMethods {
  /** The second factor of the signed-in user. */
  readonly mfa: MfaClient;
  /** Users, for administrators. For servers: it requires the secret key. */
  readonly admin: AdminClient;
  readonly organization: OrganizationClient;
  /** Identity providers of organizations and of the project. */
  readonly sso: SsoClient;
  readonly apiKey: ApiKeyClient;
  readonly passkey: PasskeyClient;

  /** @internal Created by the client. */
  constructor({ source, exchange, exchangeAsUser, detectSessionInUrl }: AuthClientParts) {
    const asUser = new Wire(exchangeAsUser, '/api/auth');
    const parts = { source, asUser, asVisitor: new Wire(exchange, '/api/auth') };
    super(parts, detectSessionInUrl);
    this.mfa = new MfaClient(parts);
    // Without the session: the key alone identifies the administrator.
    this.admin = new AdminClient(new Wire(exchange, '/api/admin/users'));
    this.organization = new OrganizationClient(asUser);
    this.sso = new SsoClient(asUser);
    this.apiKey = new ApiKeyClient(asUser);
    this.passkey = new PasskeyClient(parts);
  }
}
