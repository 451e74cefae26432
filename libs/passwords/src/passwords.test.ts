// The hashes of other systems were made with their own programs: crypt(3) for bcrypt, OpenSSL and the
// published example of Firebase for its scrypt, better-auth for its own.
import { describe, expect, test } from 'vitest';
import { hash as hashAsSent } from '@node-rs/argon2';
import { hashPassword as hashByEngine } from 'better-auth/crypto';
import {
  hashInVain,
  hashPassword,
  matchingForm,
  needsRehash,
  verifyPassword,
} from './passwords.js';
import { normalizePassword } from './normal-form.js';

const bcryptEnd = 'abcdefghijklmnopqrstuum174eFeoTj0DHmtuueFaS3Wde4P7wHG';
const signerKey =
  'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==';

interface FirebaseParts {
  readonly cost?: string;
  readonly separator?: string;
  readonly key?: string;
  readonly end: string;
}

function firebase({ cost = 'n=10,r=8,p=1', separator = 'Bw==', ...parts }: FirebaseParts): string {
  const { key = signerKey, end } = parts;
  return `$fbscrypt$v=1,${cost},ss=${separator},sk=${key}$42xEC+ixf3L2lw==$${end}`;
}

const published = firebase({
  cost: 'n=14,r=8,p=1',
  end: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
});

const FITTING = [
  {
    name: 'Argon2i',
    hash: '$argon2i$v=19$m=64,t=3,p=1$c29tZXNhbHRzb21lc2FsdA$1cRaHPyOxp68GkO5OPHS6Rk+PrPFo29O+8UXWxpv1QE',
  },
  {
    name: 'Argon2d with two lanes',
    hash: '$argon2d$v=19$m=64,t=3,p=2$c29tZXNhbHRzb21lc2FsdA$9z2+jSmMTbmlBzvVI7Hx3HdHGP5esKTb8S98lL94nzw',
  },
  {
    name: 'Argon2id of version 1.0',
    hash: '$argon2id$v=16$m=64,t=3,p=1$c29tZXNhbHRzb21lc2FsdA$kKnitGa5U2154+5X4pJYIiumWc3ewGdpNJ5qyoxgy3g',
  },
  { name: 'bcrypt $2a$', hash: `$2a$04$${bcryptEnd}` },
  { name: 'bcrypt $2b$', hash: `$2b$04$${bcryptEnd}` },
  { name: 'bcrypt $2y$', hash: `$2y$04$${bcryptEnd}` },
  { name: "Firebase's scrypt, as published", hash: published, password: 'user1password' },
  {
    name: "Firebase's scrypt, beyond ASCII",
    hash: firebase({
      end: 'pt+SDdxzzBGP1hTbOk+b2uSfZqBLNtpSENdh7DRwtICM+M1kijrRliZiy0wctjBtZGNhoFNl+n8g8YFWc9ox1Q==',
    }),
  },
  {
    name: "Firebase's scrypt in the alphabet for URLs, without separator",
    hash: firebase({
      separator: '',
      end: 'xFmh_T7VNfEIpXJ8fJwhqsxMA2X95wfBM9Om9kaUvsAtlRlT9_fkHaxv7gLjj-gbZemYJ_9zUOukGOHEu1WzvA',
    }),
  },
];

// Each hash is right: it would fit if it were computed.
const REFUSED = [
  {
    name: 'Argon2 with more than 256 MiB',
    hash: '$argon2id$v=19$m=262145,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$lGi13RAt68Wf10gzcamU6ZMQyOphep4SM9qwL0E5VC8',
  },
  {
    name: 'Argon2 with too many passes for its memory',
    hash: '$argon2id$v=19$m=8,t=131073,p=1$c29tZXNhbHRzb21lc2FsdA$lXChG3bBWeHSQGCumBPA/Xe7bCkvDtSMglW2KQ26ay4',
  },
  {
    name: 'Argon2 with 17 lanes',
    hash: '$argon2id$v=19$m=136,t=1,p=17$c29tZXNhbHRzb21lc2FsdA$9GPPjznUYkSCMh/ORKZTdVFcKXuxbAFZ4E1OQhRgr6A',
  },
  {
    name: 'bcrypt of cost 16',
    hash: '$2b$16$abcdefghijklmnopqrstuu.rOMID3hBtjQAxeNbyUHL8nRLXmhnyi',
    password: 'horse',
  },
  {
    name: "Firebase's scrypt with 128 MiB",
    hash: firebase({
      cost: 'n=17,r=8,p=1',
      end: 'wR/vUzQ9WxX1VIE7vcwSK8ilZ0/LdqHXg7UAR/BEfSAN71JhD1zTn6EAVbgQR3yFWhEkWJP5eKYaee+aG3anjg==',
    }),
  },
  {
    name: "Firebase's scrypt, computed five times over",
    hash: firebase({
      cost: 'n=10,r=8,p=5',
      end: 'pq/HzpI0d4sFVW2Crlc9+2fvGlnQussqZpnRVg/sMfHJ+M6gHjQb52F4DCKEOUFwkFmqp7m9PctCyrbAXzRLDw==',
    }),
  },
  {
    name: "Firebase's scrypt with a signer key of one byte",
    hash: firebase({ key: 'AQ==', end: 'KA==' }),
  },
  {
    name: "Firebase's scrypt with nothing to compare",
    hash: firebase({ key: '', end: '' }),
  },
];

const MALFORMED = [
  '',
  'plain',
  '$argon2',
  '$argon2id$v=19$m=4,t=3,p=1$c29tZXNhbHRzb21lc2FsdA$AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK+2vcTL0tk',
  '$argon2id$v=19$m=64,t=3,p=1$$',
  '$2b$10$abcdefghijklmnopqrstuv',
  `$2x$04$${bcryptEnd}`,
  '$fbscrypt$v=1,n=0,r=8,p=1,ss=Bw==,sk=AQ==$AA==$AA==',
  published.replace('v=1', 'v=2'),
  published.replace('n=14', 'n=99'),
  published.slice(0, -8),
  `${'a'.repeat(32)}:${'b'.repeat(126)}`,
];

describe('a password', () => {
  test('fits its own hash and no other', async () => {
    const [first, second] = await Promise.all([hashPassword('pässword'), hashPassword('pässword')]);
    expect(first).not.toBe(second);
    expect(await verifyPassword(first, 'pässword')).toBe(true);
    expect(await verifyPassword(first, 'password')).toBe(false);
  });

  test.each(FITTING)('fits the hash of another system: $name', async ({ hash, password }) => {
    expect(await verifyPassword(hash, password ?? 'pässword')).toBe(true);
    expect(await verifyPassword(hash, 'password')).toBe(false);
  });

  test('fits the hash that better-auth makes by itself, in either spelling of its letters', async () => {
    const hash = await hashByEngine('pässword');
    expect(await verifyPassword(hash, 'pässword')).toBe(true);
    expect(await verifyPassword(hash, 'pa\u0308ssword')).toBe(true);
    expect(await verifyPassword(hash, 'password')).toBe(false);
  });

  test.each(REFUSED)(
    'fits no hash that asks for too much or proves nothing: $name',
    async (row) => {
      expect(await verifyPassword(row.hash, row.password ?? 'pässword')).toBe(false);
    },
  );

  test.each(MALFORMED)('fits no malformed hash: "%s"', async (hash) => {
    expect(await verifyPassword(hash, hash)).toBe(false);
    expect(await verifyPassword(hash, 'user1password')).toBe(false);
  });
});

describe('a hash is replaced after a sign-in', () => {
  test('unless it is of the kind that new passwords get', async () => {
    const hash = await hashPassword('pässword');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(needsRehash(hash, 'pässword')).toBe(false);
    const others = [
      hash.replace('argon2id', 'argon2i'),
      hash.replace('v=19', 'v=16'),
      hash.replace('m=19456', 'm=19457'),
      hash.replace('t=2', 't=3'),
      hash.replace('p=1', 'p=2'),
    ];
    for (const other of others)
      expect([other, needsRehash(other, 'pässword')]).toEqual([other, true]);
  });

  test('when it came from another system', async () => {
    expect(needsRehash(published, 'user1password')).toBe(true);
    expect(needsRehash(`$2y$04$${bcryptEnd}`, 'pässword')).toBe(true);
    expect(needsRehash(await hashByEngine('pässword'), 'pässword')).toBe(true);
  });

  test('but not when bcrypt has read less than was typed', async () => {
    const hash = '$2b$04$abcdefghijklmnopqrstuubzadhGtS2zEF.gu0yd0opP6cVzb.e0i';
    const read = 'x'.repeat(72);
    expect(await verifyPassword(hash, `${read}chosen`)).toBe(true);
    expect(await verifyPassword(hash, `${read}mistyped`)).toBe(true);
    expect(needsRehash(hash, `${read}mistyped`)).toBe(false);
    expect(needsRehash(hash, read)).toBe(true);
    expect(needsRehash(hash, `${'x'.repeat(71)}ä`)).toBe(false);
  });
});

const sameLetters = [
  { name: 'composed and decomposed letters', one: 'p\u00e4ssword', other: 'pa\u0308ssword' },
  {
    name: 'syllables and their letters',
    one: '\ud55c\uad6d\uc5b4 abc',
    other: '\u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165 abc',
  },
  { name: 'a ligature and its letters', one: '\ufb01ne horse', other: 'fine horse' },
  { name: 'wide and narrow letters', one: '\uff50assword', other: 'password' },
];

describe('a password with other code points for the same letters', () => {
  test.each(sameLetters)('is the same password: $name', async ({ one, other }) => {
    for (const [chosen, typed] of [
      [one, other],
      [other, one],
    ] as const) {
      expect(await verifyPassword(await hashPassword(chosen), typed)).toBe(true);
      expect(await verifyPassword(await hashInVain(chosen), typed)).toBe(true);
    }
  });

  test('fits a hash of the text as it was sent, which is replaced', async () => {
    const sent = 'pa\u0308ssword';
    const old = await hashAsSent(sent, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
    expect(await matchingForm(old, sent)).toBe(sent);
    expect(needsRehash(old, sent)).toBe(true);
    expect(await matchingForm(old, 'pa\u0308ssw0rd')).toBeUndefined();
    const made = await hashPassword(sent);
    expect(await matchingForm(made, sent)).toBe('p\u00e4ssword');
    expect(needsRehash(made, 'p\u00e4ssword')).toBe(false);
  });

  test('stays as it is beyond what a rule allows: to order many marks takes long', () => {
    const long = `a${'\u0315\u0300'.repeat(512)}`;
    expect(normalizePassword(long)).toBe(long);
    expect(normalizePassword(long.slice(0, 1024))).not.toBe(long.slice(0, 1024));
  });
});
