import { expect, test } from 'vitest';

import { csvOf } from './csv.js';
import type { User } from './queries.js';

const ada: User = {
  id: 'u1',
  email: 'ada@example.org',
  emailVerified: true,
  phoneNumber: '+15551234567',
  phoneNumberVerified: false,
  name: 'Ada',
  username: null,
  image: null,
  role: 'USER',
  status: 'active',
  banReason: null,
  bannedUntil: null,
  is_anonymous: false,
  twoFactorEnabled: false,
  providers: ['credential', 'google'],
  app_metadata: {},
  user_metadata: { a: 'b' },
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  lastSignInAt: null,
};

test('has a line for the names, one for each user, and quotation marks where they are needed', () => {
  expect(csvOf([ada]).split('\r\n')).toEqual([
    'id,email,emailVerified,phoneNumber,phoneNumberVerified,name,username,role,status,banReason,bannedUntil,is_anonymous,twoFactorEnabled,providers,lastSignInAt,createdAt,updatedAt,app_metadata,user_metadata',
    'u1,ada@example.org,true,+15551234567,false,Ada,,USER,active,,,false,false,credential google,,2026-01-01T00:00:00.000Z,2026-01-01T00:00:00.000Z,{},"{""a"":""b""}"',
    '',
  ]);
});

test.each([
  ['=HYPERLINK("http://evil")', `"'=HYPERLINK(""http://evil"")"`],
  ['@sum', `'@sum`],
  ['-1+1', `'-1+1`],
  ['+1+1', `'+1+1`],
  ['a, b', '"a, b"'],
  ['two\nlines', '"two\nlines"'],
])('the name %j is written as %s', (name, written) => {
  expect(csvOf([{ ...ada, name }])).toContain(`,${written},`);
});
