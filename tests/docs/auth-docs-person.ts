// The user of the programs of docs/auth: answers their questions, reads SMS, looks at the app with the codes, and
// goes through pages of providers.
import { codeAfter } from '../support/authenticator.js';
import type { Reply } from '../support/http.js';
import { codeIn } from '../support/mail-server.js';
import type { World } from './auth-docs-world.js';

/** Who the person is at providers. */
const EMAIL_BY_CALLBACK: readonly (readonly [string, string])[] = [
  ['/oauth2/callback/acme', 'lena@acme.example'],
  ['/sso/callback/', 'mia@corp.example'],
];
const samlEmail = 'sam@works.example';

/** Answers questions of the program in their order. */
export function personIn(world: World): (question: string) => Promise<string> {
  // Each code is good once, so the next one is that of the next step: two may be asked for in all.
  let app: { readonly uri: string; steps: number } | undefined;
  return async (question) => {
    const uri = /otpauth:\S+/.exec(question)?.[0];
    if (uri !== undefined) app = { uri, steps: 0 };
    const number = /\+\d+/.exec(question)?.[0];
    const address = /Open (\S+)/.exec(question)?.[1];
    if (address !== undefined) return visit(world, address);
    if (number !== undefined) return codeIn(await world.counterparts.sms.waitForSms(number));
    if (question.includes('proof of the widget')) return 'human-1';
    if (/ID token|token of/.test(question)) return nativeToken(world, question);
    if (app === undefined) throw new Error(`no answer is known: ${question}`);
    app.steps += 1;
    return codeAfter(app.uri, app.steps - 1);
  };
}

/** What the kit of the provider hands to a native program, or the provider to a program of its own. */
function nativeToken({ counterparts: { oidc } }: World, question: string): Promise<string> {
  const nonce = /nonce ([\w-]+)/.exec(question)?.[1];
  const login = nonce === undefined ? 'worker-7' : 'nils';
  const claims = { email: `${login}@acme.example`, email_verified: true, name: login };
  return oidc.mintIdToken({
    clientId: 'shop',
    person: { login, claims },
    ...(nonce !== undefined && { nonce }),
  });
}

/** Goes to an address, presses what must be pressed, and ends at an address of the application. */
async function visit(world: World, address: string): Promise<string> {
  const { oidc, saml } = world.counterparts;
  const { origin } = new URL(address);
  if (origin === new URL(oidc.issuer).origin) return visitOidc(world, address);
  if (origin === new URL(saml.ssoUrl).origin) return visitSaml(world, address);
  return visitProject(world, address);
}

async function visitOidc(world: World, address: string): Promise<string> {
  const redirect = new URL(address).searchParams.get('redirect_uri') ?? '';
  const email = EMAIL_BY_CALLBACK.find(([path]) => redirect.includes(path))?.[1] ?? '';
  const claims = { email, email_verified: true, name: email.split('@')[0] };
  return visitProject(
    world,
    await world.counterparts.oidc.signInAt(address, { login: email, claims }),
  );
}

async function visitSaml(world: World, address: string): Promise<string> {
  const post = await world.counterparts.saml.respondTo(address, { nameId: samlEmail });
  const { acsUrl, SAMLResponse, RelayState = '' } = post;
  const reply = await world.project.send({
    method: 'POST',
    path: new URL(acsUrl).pathname,
    body: new URLSearchParams({ SAMLResponse, RelayState }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  return locationOf(reply);
}

async function visitProject({ project }: World, address: string): Promise<string> {
  const { pathname, search } = new URL(address);
  const reply = await project.send({ path: pathname + search });
  const [form] = /<form[^]*<\/form>/.exec(reply.text) ?? [];
  if (form === undefined) return locationOf(reply);
  const action = new URL(/action="([^"]+)"/.exec(form)?.[1] ?? '', address);
  const body = new URLSearchParams();
  for (const [, name = '', value = ''] of form.matchAll(/name="([^"]+)" value="([^"]*)"/g)) {
    body.append(name, value.replaceAll('&amp;', '&'));
  }
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const call = { method: 'POST', path: action.pathname, body: body.toString(), headers };
  return locationOf(await project.send(call));
}

function locationOf({ status, text, headers }: Reply): string {
  if (headers.location === undefined) throw new Error(`no redirect: ${status} ${text}`);
  return headers.location;
}
