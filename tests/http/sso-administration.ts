// A deployment with identity providers beside it, and its SSO providers as administrators manage them.
import { asRecord, Deployment } from '../support/deployment.js';
import type { Call, Reply } from '../support/http.js';
import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import type { ProjectUnderTest } from '../support/project.js';
import {
  openSamlIdentityProvider,
  type SamlIdentityProvider,
} from '../support/saml-identity-provider.js';
import { rowsOf } from './administration.js';

export const providersPath = '/api/admin/sso/providers';
const clientSecret = 'the client secret';

/** The path of a provider, and of what is below it. */
export const at = (providerId: string, rest = '') => `${providersPath}/${providerId}${rest}`;
/** A field of an answer. */
export const field = (reply: Reply, name: string) => asRecord(reply.body)[name];
/** Status, code and message of an answer. */
export const refusalOf = (reply: Reply) => [
  reply.status,
  field(reply, 'code'),
  field(reply, 'message'),
];

/** The body of a provider. */
interface Body {
  readonly providerId: string;
  readonly domain: string;
}

export interface SsoDeployment {
  readonly deployment: Deployment;
  readonly project: ProjectUnderTest;
  readonly oidc: OidcIdentityProvider;
  readonly saml: SamlIdentityProvider;
  /** Asks with the secret key; the list of providers unless told otherwise. */
  ask(call?: Partial<Call>): Promise<Reply>;
  /** The body of a provider by OpenID Connect that nobody has yet. */
  newOidc<E extends object>(
    extra?: E,
  ): Body & E & { readonly oidcConfig: Readonly<Record<string, unknown>> };
  /** The body of a provider by SAML that nobody has yet. */
  newSaml<E extends object>(extra?: E): Body & E;
  /** Creates a provider and fails when it is refused. */
  create<B extends Body>(body: B): Promise<B>;
  /** Everything that a write may leave. */
  traces(): Promise<unknown>;
  close(): Promise<void>;
}

/** Opens them. The server may call the identity provider by OpenID Connect. */
export async function openSsoDeployment(): Promise<SsoDeployment> {
  const [oidc, saml] = await Promise.all([openOidcIdentityProvider(), openSamlIdentityProvider()]);
  const deployment = await Deployment.open({
    env: { OUTBOUND_ALLOWED_HOSTS: new URL(oidc.issuer).host },
  });
  const project = await deployment.createProject();
  const ask = (call: Partial<Call> = {}) => project.asService({ path: providersPath, ...call });
  let made = 0;
  const newNames = (kind: string) => {
    made += 1;
    return { providerId: `${kind}${made}`, domain: `${kind}${made}.test` };
  };
  return {
    deployment,
    project,
    oidc,
    saml,
    ask,
    newOidc(extra) {
      const names = newNames('oidc');
      const oidcConfig = { clientId: names.providerId, clientSecret };
      return { ...names, issuer: oidc.issuer, oidcConfig, ...given(extra) };
    },
    newSaml(extra) {
      const samlConfig = { idpMetadata: { metadata: saml.metadata } };
      return { ...newNames('saml'), issuer: saml.entityId, samlConfig, ...given(extra) };
    },
    async create(body) {
      const reply = await ask({ method: 'POST', body });
      if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`);
      return body;
    },
    traces: () =>
      rowsOf(
        project,
        `select (select json_agg(p order by id) from auth."ssoProvider" p) as providers,
           (select json_agg(d order by domain, "ssoProviderId") from auth."ssoDomain" d) as domains,
           (select max(id) from platform.audit_log) as audit,
           (select json_agg(s order by name) from platform.app_settings s) as settings`,
      ),
    async close() {
      await Promise.all([deployment.close(), oidc.close(), saml.close()]);
    },
  };
}

function given<E extends object>(extra: E | undefined): E {
  // Without an argument the type parameter is what the caller expects: nothing more.
  return extra ?? ({} as E);
}

/** Writes a settings group with the secret key. */
export function putSettings(
  project: ProjectUnderTest,
  group: string,
  body: object,
): Promise<Reply> {
  return project.asService({ method: 'PUT', path: `/api/admin/settings/${group}`, body });
}
