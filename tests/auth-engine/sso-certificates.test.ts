import { expect, test } from 'vitest';
import { checkCertificates } from '../../libs/auth-engine/src/parts/sso/provider-readiness.js';
import { selfSignedCertificate } from '../support/self-signed-certificate.js';

const dayMs = 86_400_000;
const { certificate } = selfSignedCertificate('SAML identity provider');
const inDays = (days: number) => new Date(Date.now() + days * dayMs);
const warning = (found: string) => ({
  status: 'warning',
  reason: `The certificate of the identity provider ${found}. Sign-ins work while the provider signs with its key. Read the metadata of the provider again, and save them if they have another certificate.`,
});

test.each([
  { name: 'within its term is good', days: 0, finding: { status: 'ok' } },
  { name: 'before it warns', days: -2, finding: warning('is not valid yet') },
  { name: 'after it warns', days: 4000, finding: warning('has expired') },
])('the certificate of an identity provider $name', ({ days, finding }) => {
  expect(checkCertificates({ cert: certificate, idpMetadata: {} }, inDays(days))).toEqual(finding);
});
