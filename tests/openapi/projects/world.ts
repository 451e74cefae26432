// A project with the tables of the demo, an administrator and a user, whose routes are tried by their examples.
import { demoSql } from '../../../bin/demo-project.js';
import { makeSignedIn, makeUser } from '../../http/administration.js';
import { createWith } from '../../http/complete-project.js';
import { type HttpRecorder, openHttpRecorder } from '../../support/http-recorder.js';
import { asRecord, Deployment } from '../../support/deployment.js';
import { openOidcIdentityProvider } from '../../support/oidc-identity-provider.js';
import { type ProjectUnderTest, type SignedIn, userPassword } from '../../support/project.js';
import { openSmsGateway, SMS_ACCOUNTS, type SmsGateway } from '../../support/sms-gateway.js';
import { Contract } from '../contract.js';

export type Headers = Readonly<Record<string, string>>;

export interface ProjectWorld {
  readonly deployment: Deployment;
  readonly project: ProjectUnderTest;
  readonly contract: Contract;
  /** Takes webhooks. */
  readonly web: HttpRecorder;
  /** Of an OpenID Connect server. */
  readonly issuer: string;
  /** Headers with the secret key. */
  readonly service: Headers;
  readonly user: SignedIn;
  readonly asUser: Headers;
  newUser(extra?: object): Promise<string>;
  close(): Promise<void>;
}

export const metricsToken = 'a token for the figures';
const limits = { max: 100_000, credentialMax: 100_000 };

export async function openProjectWorld(): Promise<ProjectWorld> {
  const [deployment, sms, web, oidc] = await Promise.all([
    Deployment.open({ env: { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1', METRICS_TOKEN: metricsToken } }),
    openSmsGateway(),
    openHttpRecorder(),
    openOidcIdentityProvider(),
  ]);
  const project = await createWith(deployment, settingsOf(sms));
  await project.sql(demoSql);
  await project.sql(`create function planets_with(at_least int) returns setof planets
    stable language sql as 'select * from planets where moons >= at_least';`);
  const document = asRecord((await project.send({ path: '/api/docs/json' })).body);
  const user = await makeSignedIn(project, 'user@example.org');
  let count = 0;
  return {
    deployment,
    project,
    contract: new Contract(document, (call) => project.send(call)),
    web,
    issuer: oidc.issuer,
    service: { apikey: project.secretKey },
    user,
    asUser: { authorization: `Bearer ${user.token}` },
    newUser: (extra = {}) => {
      const email = `person${(count += 1)}@example.org`;
      return makeUser(project, { email, password: userPassword, ...extra });
    },
    async close() {
      await deployment.close();
      await Promise.all([sms.close(), web.close(), oidc.close()]);
    },
  };
}

const settingsOf = (sms: SmsGateway): Readonly<Record<string, object>> => ({
  'security.rateLimit': limits,
  'auth.urls': { siteUrl: 'https://app.example.com' },
  'auth.twoFactor': { enabled: true },
  'auth.organization': { enabled: true },
  'auth.sso': { enabled: true },
  'phone.sms': {
    provider: 'vonage',
    vonage: { ...SMS_ACCOUNTS.vonage, from: 'Test', baseUrl: sms.origin },
  },
});
