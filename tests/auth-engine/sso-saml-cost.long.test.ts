// What SAML documents cost: those that would hold the event loop for long are refused before it reads them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openSamlIdentityProvider,
  type SamlAnswer,
  type SamlIdentityProvider,
  type SamlPost,
} from '../support/saml-identity-provider.js';
import { selfSignedCertificate } from '../support/self-signed-certificate.js';
import type { AuthProject } from './auth-project.js';
import { begin, manager, openSsoProject, postSaml, register, samlBody } from './sso-project.js';
import type { Manager } from './sso-project.js';
import { at } from '../support/replies.js';

let project: AuthProject;
let idp: SamlIdentityProvider;
let admin: Manager;
const keys = selfSignedCertificate('service provider');

beforeAll(async () => {
  [project, idp] = await Promise.all([openSsoProject(), openSamlIdentityProvider()]);
  admin = await manager(project, 'admin@app.test', { role: 'ADMIN' });
  await register(admin, samlBody(idp, 'corp', 'corp.test'));
  await register(admin, {
    ...samlBody(idp, 'sealed', 'sealed.test'),
    samlConfig: {
      idpMetadata: { metadata: idp.metadata },
      spMetadata: { encPrivateKey: keys.privateKey },
    },
  });
});
afterAll(async () => {
  await Promise.all([project.close(), idp.close()]);
});

async function answer(given: Partial<SamlAnswer>, providerId = 'corp'): Promise<SamlPost> {
  const { url } = await begin(project, { providerId, callbackURL: '/' });
  return idp.respondTo(url, { nameId: `person@${providerId}.test`, ...given });
}

function changed(post: SamlPost, change: (xml: string) => string): SamlPost {
  const before = Buffer.from(post.SAMLResponse, 'base64').toString();
  const xml = change(before);
  expect(xml).not.toBe(before);
  return { ...post, SAMLResponse: Buffer.from(xml).toString('base64') };
}

const groups = (count: number) => ({
  groups: Array.from({ length: count }, (_, index) => `group ${index}`),
});
const transform = '<ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>';
const manyTransforms = (xml: string): string =>
  xml.replace(/<ds:Transforms>/, (tag) => tag + transform.repeat(250));

test.each([
  { name: 'a response with 150 groups', providerId: 'corp', count: 150, sealed: {} },
  {
    name: 'an encrypted response with 50 groups',
    providerId: 'sealed',
    count: 50,
    sealed: { encryptFor: keys.certificate },
  },
])('$name signs in', async ({ providerId, count, sealed }) => {
  const post = await answer({ attributes: groups(count), ...sealed }, providerId);
  expect((await postSaml(project, post)).outcome).toBe('ok');
});

test('a response that is canonicalized hundreds of times is refused before the event loop reads it', async () => {
  const post = changed(await answer({}), manyTransforms);
  const done = await postSaml(project, post);
  expect(done).toMatchObject({ outcome: '400 SSO_RESPONSE_INVALID', token: undefined });
});

test('an encrypted assertion with thousands of elements is refused', async () => {
  const attributes = groups(2_500);
  const post = await answer({ attributes, encryptFor: keys.certificate }, 'sealed');
  const done = await postSaml(project, post);
  expect(done).toMatchObject({ outcome: '400 SSO_RESPONSE_INVALID', token: undefined });
});

const key = '<KeyDescriptor use="signing"/>';
const withKeys = (count: number): string =>
  idp.metadata.replace('<KeyDescriptor', () => `${key.repeat(count)}<KeyDescriptor`);

test('metadata that take long to read are not registered', async () => {
  const body = samlBody(idp, 'slow', 'slow.test');
  const samlConfig = { idpMetadata: { metadata: withKeys(900) } };
  const reply = await admin.post('register', { ...body, samlConfig });
  expect(reply.status).toBe(400);
  expect(at(reply.body, 'code')).toBe('INVALID_INPUT');
  expect(await project.sql(`select from auth."ssoProvider" where "providerId" = 'slow'`)).toEqual(
    [],
  );
});

test.each([
  { name: 'more tags than may be stored now', count: 3_000 },
  { name: 'hundreds of keys', count: 900 },
])('stored metadata with $name are not read', async ({ count }) => {
  await register(admin, samlBody(idp, `old${count}`, `old${count}.test`));
  const post = await answer({}, `old${count}`);
  await project.sql(
    `update auth."ssoProvider" set "samlConfig" = pg_catalog.jsonb_set("samlConfig"::pg_catalog.jsonb,
       '{idpMetadata,metadata}', pg_catalog.to_jsonb($2::pg_catalog.text))
     where "providerId" = $1`,
    [`old${count}`, withKeys(count)],
  );
  const sent = await project.post('/sign-in/sso', { body: { providerId: `old${count}` } });
  expect(sent.status).toBe(400);
  expect(at(sent.body, 'code')).toBe('SSO_PROVIDER_INVALID');
  expect((await postSaml(project, post)).outcome).toBe('400 SSO_PROVIDER_INVALID');
});
