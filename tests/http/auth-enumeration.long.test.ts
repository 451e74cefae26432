// Nobody learns from an answer whether an address or a number has an account: status, body and headers are the
// same. auth-enumeration.proof.test.ts compares the times.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import type { Reply } from '../support/http.js';
import { rowsOf } from './administration.js';
import { asked, guessed, known, KnownAccounts, sending, unknown, whoIs } from './known-accounts.js';

let accounts: KnownAccounts;
beforeAll(async () => {
  accounts = await KnownAccounts.open();
});
afterAll(() => accounts.close());

/** What may differ between any two answers. */
const ownHeaders = new Set(['date', 'x-request-id']);
function visible({ status, body, text, headers }: Reply): object {
  const isObject = typeof body === 'object' && body !== null;
  const kept = Object.entries(headers).filter(([name]) => !ownHeaders.has(name));
  const content: unknown = isObject ? { ...body, requestId: undefined } : text;
  return { status, content, headers: Object.fromEntries(kept) };
}

describe('who is known is answered as who is not', () => {
  test.each(asked)('$name', async (row) => {
    const [yes, no] = [await accounts.ask(row, whoIs(row)), await accounts.ask(row, unknown)];
    expect(visible(yes)).toEqual(visible(no));
    expect(yes.status).toBeLessThan(402);
  });

  test.each(guessed)('$name, after as many guesses as one likes', async (row) => {
    // Wrong codes are counted for an account over all codes: as if the last row was an hour ago.
    await rowsOf(accounts.project, 'delete from auth.rate_limit');
    // There is a code for who is known, and it ends by guessing.
    await Promise.all(sending.map((each) => accounts.ask(each, known)));
    for (let guess = 0; guess < 5; guess += 1) {
      const [yes, no] = [await accounts.ask(row, known), await accounts.ask(row, unknown)];
      expect({ guess, ...visible(yes) }).toEqual({ guess, ...visible(no) });
      expect(yes.status).toBe(400);
    }
  });

  test('messages went to who is known alone', async () => {
    const sent = (to: string) => accounts.service.requests.some(({ text }) => text.includes(to));
    for (const row of asked)
      await Promise.all([accounts.ask(row, known), accounts.ask(row, unknown)]);
    for (const to of [known.email, known.phoneNumber]) await waitFor(async () => sent(to));
    expect([unknown.email, unknown.phoneNumber].filter(sent)).toEqual([]);
  });
});
