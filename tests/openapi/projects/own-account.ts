// The own account of users, and the studio that administrators sign in to.
import { makeSignedIn } from '../../http/administration.js';
import { codeAfter, codeFor } from '../../support/authenticator.js';
import { asRecord } from '../../support/deployment.js';
import type { ProjectWorld } from './world.js';

export async function tryOwnAccount({ contract, project }: ProjectWorld): Promise<void> {
  const person = await makeSignedIn(project, 'own@example.org');
  const as = { authorization: `Bearer ${person.token}` };
  await contract.try('PUT /api/users/username', { as });
  await contract.try('PUT /api/users/image', { as });
  await contract.try('DELETE /api/users', { as });
}

export async function tryStudio({ contract, project }: ProjectWorld): Promise<void> {
  const email = 'studio@example.org';
  await makeSignedIn(project, email, { role: 'ADMIN' });
  const login = await contract.try('POST /auth/login', { live: { email } });
  const { token } = asRecord(login.body);
  const as = { authorization: `Bearer ${String(token)}` };
  await contract.try('GET /auth/get-session');
  await contract.try('GET /auth/get-session', { as });
  const enabled = await contract.try('POST /auth/two-factor/enable', { as });
  const uri = String(asRecord(enabled.body)['totpURI']);
  await contract.try('POST /auth/two-factor/verify-totp', { as, live: { code: codeFor(uri) } });
  const challenged = await contract.try('POST /auth/login', { live: { email } });
  await contract.try('POST /auth/two-factor/verify-totp', {
    headers: { 'x-mfa-token': String(asRecord(challenged.body)['mfaToken']) },
    live: { code: codeAfter(uri, 1) },
  });
  await contract.try('POST /auth/two-factor/disable', { as });
}
