import { describe, expect, test } from 'vitest';

import {
  exampleValues,
  MAIL_KIND_NAMES,
  MAIL_KINDS,
  renderMail,
  templateProblem,
  variablesOf,
} from './index.js';

const link = exampleValues('resetPasswordLink');

describe.each(MAIL_KIND_NAMES)('the default of %s', (kind) => {
  const { subject, text, html } = MAIL_KINDS[kind];

  test('is a template that may be stored', () => {
    expect(templateProblem(kind, { subject, text, html })).toBeUndefined();
  });

  test('leaves no placeholder and shows the values in text and HTML', () => {
    const mail = renderMail(kind, undefined, exampleValues(kind));
    for (const part of [mail.subject, mail.text, mail.html])
      expect(part).not.toMatch(/[{}]{2}\s|undefined/);
    for (const name of MAIL_KINDS[kind].needs.flat()) {
      const { example } = variablesOf(kind)[name] ?? { example: '?' };
      expect(mail.text).toContain(example);
      expect(mail.html).toContain(example);
    }
    expect(mail.subject).toMatch(/^\S[^\n]{5,80}$/);
  });

  test('has no trace of a value that may be absent and is', () => {
    const { appName, siteUrl, email, ...own } = exampleValues(kind);
    const required = Object.entries(own).filter(([name]) => variablesOf(kind)[name]?.required);
    // Only values that may be absent are left out.
    const values = { appName, siteUrl, email, ...Object.fromEntries(required) } as typeof link;
    const mail = renderMail(kind as 'resetPasswordLink', undefined, values);
    expect(`${mail.text}${mail.html}`).not.toMatch(
      /works for|Or enter this code:|See the invitation/,
    );
    expect(mail.html).not.toContain('href="#"');
  });

  test('is readable without style sheets, in the dark, and in Outlook', () => {
    const { html: page } = renderMail(kind, undefined, exampleValues(kind));
    expect(page).toContain('<html lang="en">');
    expect(page).toContain('prefers-color-scheme: dark');
    expect([...page.matchAll(/<table(?! role="presentation")/g)]).toEqual([]);
    expect(page).not.toMatch(/<(?:img|script|link)|url\(/);
  });
});
