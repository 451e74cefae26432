// A project with every way to sign in, whose routes of accounts are tried by the examples of their description.
import { makeSignedIn, rowsOf } from '../../http/administration.js';
import { completeSettings, createWith } from '../../http/complete-project.js';
import { originOf } from '../../http/redirects.js';
import { asRecord, Deployment } from '../../support/deployment.js';
import type { Reply } from '../../support/http.js';
import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../../support/oidc-identity-provider.js';
import type { ProjectUnderTest, SignedIn } from '../../support/project.js';
import { openSmsGateway, type SmsGateway } from '../../support/sms-gateway.js';
import { Contract, type Example } from '../contract.js';

export interface Person extends SignedIn {
  /** Tries the example of `POST /api/auth/sign-out` and the like, as this person. */
  readonly try: (route: string, example?: Example) => Promise<Reply>;
}

export interface AccountWorld {
  readonly project: ProjectUnderTest;
  readonly contract: Contract;
  readonly sms: SmsGateway;
  readonly oidc: OidcIdentityProvider;
  /** The client of the project at the identity provider. */
  readonly clientId: string;
  /** Somebody with an account, a verified address and a session. */
  newPerson(extra?: object): Promise<Person>;
  /** Tries the example of a route below `/api/auth` as a visitor. */
  try(route: string, example?: Example): Promise<Reply>;
  close(): Promise<void>;
}

const clientId = 'rowhouse';

export async function openAccountWorld(): Promise<AccountWorld> {
  const [deployment, sms, oidc] = await Promise.all([
    Deployment.shared('outbound'),
    openSmsGateway(),
    openOidcIdentityProvider(),
  ]);
  const clientSecret = `${clientId}-secret`;
  const { discoveryUrl } = oidc;
  const scopes = ['openid', 'email', 'profile', 'offline_access'];
  const acme = { providerId: 'acme', clientId, clientSecret, discoveryUrl, scopes };
  const project = await createWith(deployment, completeSettings(sms, [acme]));
  const auth = `${originOf(project)}/api/auth`;
  oidc.addClient({ clientId, redirectUris: [`${auth}/oauth2/callback/acme`] });
  const contract = new Contract(await documentOf(project), (call) => project.send(call));
  let count = 0;
  const tryRoute = (route: string, example: Example = {}) => {
    const [method = '', path = ''] = route.split(' ');
    return contract.try(`${method} /api/auth${path}`, example);
  };
  return {
    project,
    contract,
    sms,
    oidc,
    clientId,
    try: tryRoute,
    async newPerson(extra = {}) {
      count += 1;
      const email = `person${count}@example.org`;
      const person = await makeSignedIn(project, email, { emailVerified: true, ...extra });
      const as = { authorization: `Bearer ${person.token}` };
      return { ...person, try: (route, example = {}) => tryRoute(route, { as, ...example }) };
    },
    async close() {
      await deployment.close();
      await Promise.all([sms.close(), oidc.close()]);
    },
  };
}

async function documentOf(project: ProjectUnderTest): Promise<Record<string, unknown>> {
  return asRecord((await project.send({ path: '/api/docs/json' })).body);
}

/** The text at a path of names in an answer. Throws when there is none. */
export function textAt(reply: Reply, ...names: readonly string[]): string {
  const value = names.reduce<unknown>((at, name) => asRecord(at)[name], reply.body);
  if (typeof value !== 'string') throw new Error(`no ${names.join('.')}: ${reply.text}`);
  return value;
}

/** As if the authenticator had been used long ago: a code is good for one use. */
export async function forgetCodes(project: ProjectUnderTest): Promise<void> {
  await rowsOf(project, 'update auth."twoFactor" set "lastStep" = null');
}
