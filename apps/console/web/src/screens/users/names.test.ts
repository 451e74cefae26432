import { expect, test } from 'vitest';

import { fullNameOf } from './names.js';
import type { User } from './queries.js';

/** The names of a user need these fields alone. */
const user = (fields: Partial<User>) =>
  ({ name: '', email: 'ada@example.org', phoneNumber: null, ...fields }) as User;

test.each([
  { of: user({ name: 'Ada' }), is: 'Ada (ada@example.org)' },
  { of: user({}), is: 'ada@example.org' },
  {
    of: user({ name: 'ada@example.org', email: 'mallory@evil.example' }),
    is: 'ada@example.org (mallory@evil.example)',
  },
  {
    of: user({ name: '\u202enimda\u200b', email: 'm@evil.example' }),
    is: '\\u202Enimda\\u200B (m@evil.example)',
  },
  {
    of: user({ email: '1@phone.local', phoneNumber: '+1555', name: 'Bo' }),
    is: 'Bo (+1555)',
  },
  { of: user({ email: '1@anonymous.local' }), is: 'Guest' },
])('$is', ({ of, is }) => {
  expect(fullNameOf(of)).toBe(is);
});
