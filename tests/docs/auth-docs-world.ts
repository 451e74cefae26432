// The counterparts of the pages of docs/auth: services that all pages share, and a project for each page.
import { freePort } from '#libs/testing';

import { type Gateway, openGateway } from '../sdk/support/gateway.js';
import { breachRanges } from '../support/breach-ranges.js';
import { captchaVerifier } from '../support/captcha-verifier.js';
import { Deployment } from '../support/deployment.js';
import { type HttpRecorder, openHttpRecorder } from '../support/http-recorder.js';
import { type MailServer, openMailServer } from '../support/mail-server.js';
import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import type { ProjectUnderTest } from '../support/project.js';
import {
  openSamlIdentityProvider,
  type SamlIdentityProvider,
} from '../support/saml-identity-provider.js';
import { openSmsGateway, type SmsGateway } from '../support/sms-gateway.js';

export interface Counterparts {
  readonly deployment: Deployment;
  /** The identity provider of the pages' custom provider, its SSO by OpenID Connect and its foreign tokens. */
  readonly oidc: OidcIdentityProvider;
  readonly saml: SamlIdentityProvider;
  readonly sms: SmsGateway;
  readonly mail: MailServer;
  /** The CAPTCHA service and the list of breached passwords. */
  readonly web: HttpRecorder;
  close(): Promise<void>;
}

export interface World extends AsyncDisposable {
  readonly counterparts: Counterparts;
  readonly project: ProjectUnderTest;
  /** An address of the project that every program can reach. */
  readonly gateway: Gateway;
  /** For the server that the program opens, which hooks call. */
  readonly freePort: number;
}

const captchaSecret = '0x4AAAAAAA';

export async function openCounterparts(): Promise<Counterparts> {
  const deployment = await Deployment.shared('outbound');
  const [oidc, saml, sms, mail, web] = await Promise.all([
    openOidcIdentityProvider(),
    openSamlIdentityProvider(),
    openSmsGateway(),
    openMailServer(),
    openWeb(),
  ]);
  return {
    deployment,
    oidc,
    saml,
    sms,
    mail,
    web,
    async close() {
      await deployment.close();
      await Promise.all([oidc, saml, sms, mail, web].map((service) => service.close()));
    },
  };
}

/** Opens the project of a page; `counterparts.close()` deletes it. */
export async function openWorld(counterparts: Counterparts): Promise<World> {
  const { deployment, oidc } = counterparts;
  const project = await deployment.createProject();
  const gateway = await openGateway(project);
  registerApplications(oidc, callbackOrigin(project));
  await allowHaste(project);
  const path = `/platform/projects/${project.ref}`;
  await deployment.console({ method: 'PATCH', path, body: { name: 'Shop' } });
  return {
    counterparts,
    project,
    gateway,
    freePort: await freePort(),
    [Symbol.asyncDispose]: () => gateway.close(),
  };
}

/** A text of the page with the addresses and keys of this run. */
export function hereOf(world: World): (text: string) => string {
  const { project, gateway, counterparts } = world;
  const { oidc, saml, sms, mail, web } = counterparts;
  const words: readonly (readonly [string, string])[] = [
    ['http://shop.localhost:8000', gateway.url],
    ['svc_publishable_…', project.publishableKey],
    ['svc_secret_…', project.secretKey],
    ['https://login.acme.example', oidc.issuer],
    ['https://idp.corp.example/metadata', saml.entityId],
    ['https://sms.example.com', sms.origin],
    ['"host":"mail.example.com","port":587', `"host":"${mail.host}","port":${mail.port}`],
    ['8787', String(world.freePort)],
    // Services that the page leaves at their own addresses.
    [
      '"breachedPasswords":true',
      `"breachedPasswords":true,"breachedPasswordsUrl":"${web.origin}/range/"`,
    ],
    [
      `"captchaSecret":"${captchaSecret}"`,
      `"captchaSecret":"${captchaSecret}","captchaVerifyUrl":"${web.origin}/siteverify"`,
    ],
  ];
  return (text: string): string =>
    words.reduce((changed, [word, value]) => changed.replaceAll(word, value), text);
}

/** Where providers send browsers back to. */
function callbackOrigin(project: ProjectUnderTest): string {
  return `http://${project.host}:${new URL(project.apiOrigin).port}`;
}

function registerApplications(oidc: OidcIdentityProvider, origin: string): void {
  const auth = `${origin}/api/auth`;
  oidc.addClient({
    clientId: 'shop',
    clientSecret: 'secret-of-shop',
    redirectUris: [`${auth}/oauth2/callback/acme`, `${auth}/sso/callback/corp-oidc`],
  });
}

async function openWeb(): Promise<HttpRecorder> {
  const captcha = captchaVerifier({ kind: 'turnstile', secret: captchaSecret });
  const breaches = breachRanges(['password123']);
  return openHttpRecorder((request) => {
    if (request.path === '/siteverify') return captcha(request);
    return request.path.startsWith('/range/') ? breaches(request) : { body: {} };
  });
}

/** The page makes more attempts from one address than people do. */
async function allowHaste(project: ProjectUnderTest): Promise<void> {
  const path = '/api/admin/settings/security.rateLimit';
  const body = { credentialMax: 1000, max: 10_000 };
  const saved = await project.asService({ method: 'PUT', path, body });
  if (saved.status !== 200) throw new Error(saved.text);
}
