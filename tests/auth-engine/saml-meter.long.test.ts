import { afterEach, expect, test } from 'vitest';

// The thread and its documents are internal to the engine: the product reaches them by its routes alone.
import { SamlMeter } from '../../libs/auth-engine/src/parts/sso/saml-meter.js';
import type { RehearsalOrder } from '../../libs/auth-engine/src/parts/sso/saml-rehearsal.js';
import { openSamlIdentityProvider, type SamlAnswer } from '../support/saml-identity-provider.js';

const meter = new SamlMeter();
const entityId = 'http://abc.localhost/metadata';
const baseUrl = 'http://abc.localhost/api/auth';
const acsUrl = `${baseUrl}/sso/saml2/sp/acs/corp`;

afterEach(() => meter.close());

/** A response that is read by its provider; `change` changes its XML once it is signed. */
async function orderOf(
  answer: Partial<SamlAnswer>,
  change: (xml: string) => string = (xml) => xml,
): Promise<RehearsalOrder> {
  const idp = await openSamlIdentityProvider();
  const audience = { acsUrl, entityId, requestId: '_request' };
  const { SAMLResponse } = await idp.respondUnasked(audience, { nameId: 'a@b.test', ...answer });
  await idp.close();
  const xml = change(Buffer.from(SAMLResponse, 'base64').toString());
  const config = {
    issuer: idp.entityId,
    idpMetadata: { metadata: idp.metadata },
    spMetadata: { entityID: entityId },
    wantAssertionsSigned: true,
    authnRequestsSigned: false,
  } as const;
  const response = Buffer.from(xml).toString('base64');
  return { document: { config, baseUrl, providerId: 'corp', response }, enoughMs: 50 };
}

const transform = '<ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>';
/** Each of them makes the reader canonicalize the whole document once. */
const manyTransforms = (xml: string): string =>
  xml.replace(/<ds:Transforms>/, (tag) => tag + transform.repeat(1_600));

test('a response is read to the place where its request is looked for', async () => {
  expect(await meter.measure(await orderOf({}))).toMatchObject({ isGood: true });
});

test('a response that was changed ends before', async () => {
  expect(await meter.measure(await orderOf({ flaw: 'tampered' }))).toMatchObject({ isGood: false });
});

test('a document that takes long ends its thread, and the next one has another', async () => {
  const [slow, good] = [await orderOf({}, manyTransforms), await orderOf({})];
  const [first, second] = await Promise.all([meter.measure(slow), meter.measure(good)]);
  expect(first).toBeUndefined();
  expect(second).toMatchObject({ isGood: true });
  expect(meter.starts).toBeGreaterThan(1);
});

test('more than 30 that wait are refused, and those who wait are read', async () => {
  const order = await orderOf({});
  const done = await Promise.allSettled(Array.from({ length: 40 }, () => meter.measure(order)));
  const refused = done.filter(({ status }) => status === 'rejected');
  expect(refused.map((each) => Reflect.get(each, 'reason'))).toEqual(
    Array.from({ length: 10 }, () => expect.objectContaining({ code: 'PROJECT_BUSY' })),
  );
});
