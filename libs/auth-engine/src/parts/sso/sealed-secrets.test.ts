import { expect, test } from 'vitest';
import { createSecretBox, withoutSecrets } from './sealed-secrets.js';

const config = {
  clientId: 'id',
  clientSecret: 'secret1',
  privateKey: 'secret2',
  spMetadata: { entityID: 'sp', encPrivateKey: 'secret3', encPrivateKeyPass: 'secret4' },
};

test('what is closed opens again, and shows no secret meanwhile', () => {
  const box = createSecretBox('one project');
  const closed = box.close(config);
  expect(JSON.stringify(closed)).not.toMatch(/secret\d/);
  expect(closed).toMatchObject({ clientId: 'id', spMetadata: { entityID: 'sp' } });
  expect(box.open(closed)).toEqual(config);
  expect(box.close(closed)).toEqual(closed);
});

test('the box of another project opens nothing', () => {
  const closed = createSecretBox('one project').close(config);
  expect(() => createSecretBox('another').open(closed)).toThrow();
});

test('a secret opens in its own field alone, and unchanged', () => {
  const box = createSecretBox('one project');
  const { clientSecret } = box.close(config);
  expect(() => box.open({ privateKey: clientSecret })).toThrow();
  expect(() => box.open({ clientSecret: `${clientSecret.slice(0, -4)}AAAA` })).toThrow();
});

test('secrets that cannot be opened stay as they are stored, beside those that can', () => {
  const box = createSecretBox('one project');
  const closed = { ...box.close(config), privateKey: 'sealed:1:AAAA' };
  expect(box.openReadable(closed)).toEqual({ ...config, privateKey: 'sealed:1:AAAA' });
  expect(() => box.open(closed)).toThrow('its stored privateKey cannot be opened');
});

test('without secrets the rest is left', () => {
  expect(withoutSecrets(config)).toEqual({ clientId: 'id', spMetadata: { entityID: 'sp' } });
});
