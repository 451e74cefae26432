import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  addVirtualAuthenticator,
  type BrowserUnderTest,
  describeWithBrowser,
  openBrowser,
} from './browser.js';
import { type HttpRecorder, openHttpRecorder } from './http-recorder.js';

const page = `<!doctype html><title>Deployment</title><script>
const challenge = new Uint8Array(32);
const user = { id: new Uint8Array([1]), name: 'a@example.org', displayName: 'A' };
async function register(rpId) {
  const credential = await navigator.credentials.create({ publicKey: {
    challenge, user, rp: { id: rpId, name: 'Deployment' },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  } });
  return credential.id;
}
async function signIn(rpId) {
  const credential = await navigator.credentials.get({ publicKey: {
    challenge, rpId, userVerification: 'required', timeout: 2000,
  } });
  const client = JSON.parse(new TextDecoder().decode(credential.response.clientDataJSON));
  return { id: credential.id, origin: client.origin, type: client.type };
}
</script>`;

describeWithBrowser('Chromium', () => {
  let browser: BrowserUnderTest;
  let site: HttpRecorder;
  beforeAll(async () => {
    site = await openHttpRecorder(() => ({ body: page, headers: { 'content-type': 'text/html' } }));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  const originOf = (ref: string): string => `http://${ref}.localhost:${site.port}`;

  test('a passkey is made and used on the subdomain of a project', async () => {
    const tab = await browser.newPage(originOf('abc'));
    const authenticator = await addVirtualAuthenticator(tab);
    const id = await tab.evaluate<string>(`register('abc.localhost')`);
    expect(await authenticator.passkeys()).toMatchObject([{ rpId: 'abc.localhost' }]);
    expect(await tab.evaluate(`signIn('abc.localhost')`)).toEqual({
      id,
      origin: originOf('abc'),
      type: 'webauthn.get',
    });
    const [kept] = await authenticator.passkeys();
    expect(kept?.signCount).toBe(2);
  });

  test('the passkey of a project is none of its neighbor', async () => {
    const tab = await browser.newPage(originOf('abc'));
    await addVirtualAuthenticator(tab);
    await tab.evaluate(`register('abc.localhost')`);
    await tab.goto(originOf('xyz'));
    await expect(tab.evaluate(`signIn('abc.localhost')`)).rejects.toThrow('SecurityError');
    await expect(tab.evaluate(`signIn('xyz.localhost')`)).rejects.toThrow('NotAllowedError');
  });

  test('a person who does not prove who they are, or does not touch, is refused', async () => {
    const tab = await browser.newPage(originOf('abc'));
    const authenticator = await addVirtualAuthenticator(tab);
    await tab.evaluate(`register('abc.localhost')`);
    await authenticator.setUserVerified(false);
    await expect(tab.evaluate(`signIn('abc.localhost')`)).rejects.toThrow('NotAllowedError');
    await authenticator.setUserVerified(true);
    await authenticator.setUserPresent(false);
    await expect(tab.evaluate(`signIn('abc.localhost')`)).rejects.toThrow('NotAllowedError');
    await authenticator.setUserPresent(true);
    expect(await tab.evaluate(`signIn('abc.localhost')`)).toMatchObject({ type: 'webauthn.get' });
  });

  test('the counter of a passkey can be put back, and the authenticator taken away', async () => {
    const tab = await browser.newPage(originOf('abc'));
    const authenticator = await addVirtualAuthenticator(tab);
    await tab.evaluate(`register('abc.localhost')`);
    await tab.evaluate(`signIn('abc.localhost')`);
    const [{ credentialId } = { credentialId: '' }] = await authenticator.passkeys();
    await authenticator.setSignCount(credentialId, 0);
    expect(await authenticator.passkeys()).toMatchObject([{ credentialId, signCount: 0 }]);
    await authenticator.remove();
    await expect(tab.evaluate(`signIn('abc.localhost')`)).rejects.toThrow('NotAllowedError');
  });

  test('tabs of one person share cookies, persons do not', async () => {
    const person = await browser.newPerson();
    const [one, two] = [await person.newPage(), await person.newPage()];
    await one.goto(originOf('abc'));
    await one.evaluate(`document.cookie = 'a=1'`);
    await two.goto(originOf('abc'));
    expect(await two.evaluate('document.cookie')).toBe('a=1');
    const other = await browser.newPage(originOf('abc'));
    expect(await other.evaluate('document.cookie')).toBe('');
  });
});
