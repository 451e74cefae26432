import { describe, expect, test } from 'vitest';
import fc from 'fast-check';

import { exampleValues, renderMail } from './index.js';

const link = exampleValues('resetPasswordLink');
const invitation = exampleValues('inviteMember');

describe('a value is only text', () => {
  test.each([
    {
      name: 'between tags',
      html: '<p>{{ inviterName }}</p>',
      value: '<b>&"\'',
      gives: '<p>&lt;b&gt;&amp;&quot;&#39;</p>',
    },
    {
      name: 'in a quoted attribute',
      html: `<p title='{{ inviterName }}'>`,
      value: `' onclick='x`,
      gives: `<p title='&#39; onclick=&#39;x'>`,
    },
    {
      name: 'further in an address',
      html: '<a href="https://x.example/?n={{ inviterName }}">',
      value: 'a&b="c',
      gives: '<a href="https://x.example/?n=a%26b%3D%22c">',
    },
    {
      name: 'without quotes it is left out',
      html: '<a title={{ inviterName }}>',
      value: 'x onclick=y',
      gives: '<a title=>',
    },
    {
      name: 'in a style it is left out',
      html: '<style>{{ inviterName }}</style>',
      value: 'a{}',
      gives: '<style></style>',
    },
    {
      name: 'in a script it is left out',
      html: '<script/>{{ inviterName }}</script>',
      value: 'a()',
      gives: '<script/></script>',
    },
    {
      name: 'in a handler it is left out',
      html: '<p onclick="{{ inviterName }}">',
      value: 'a()',
      gives: '<p onclick="">',
    },
    {
      name: 'as the name of a tag it is left out',
      html: '<{{ inviterName }}>',
      value: 'script',
      gives: '<>',
    },
    {
      name: 'after a comment it is text again',
      html: '<!-- <p title="> -->{{ inviterName }}',
      value: '<',
      gives: '<!-- <p title="> -->&lt;',
    },
    {
      name: 'in what only Outlook reads it is escaped for its place',
      html: '<!--[if mso]><a href="{{ inviterName }}"><![endif]-->',
      value: 'javascript:a',
      gives: '<!--[if mso]><a href="#"><![endif]-->',
    },
  ])('$name', ({ html, value, gives }) => {
    expect(renderMail('inviteMember', { html }, { ...invitation, inviterName: value }).html).toBe(
      gives,
    );
  });

  test('whatever it is, it adds no tag and no attribute to a default', () => {
    const marks = (text: string) => text.replace(/[^<>"]/g, '');
    const plain = renderMail('inviteMember', undefined, {
      ...invitation,
      inviterName: 'x',
      role: 'y',
    }).html;
    const nasty = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('"><script>', "' x='", '{{ url }}', '\u0000<', '-->'),
    );
    fc.assert(
      fc.property(nasty, nasty, (inviterName, role) => {
        const { html } = renderMail('inviteMember', undefined, {
          ...invitation,
          inviterName,
          role,
        });
        expect(marks(html)).toBe(marks(plain));
      }),
    );
  });

  test('it is not read as a template', () => {
    const mail = renderMail(
      'inviteMember',
      { text: '{{ inviterName }} {{ invitationId }}' },
      { ...invitation, inviterName: '{{ email }}' },
    );
    expect(mail.text).toBe('{{ email }} inv_example');
  });

  test.each(['a\r\nBcc: x@example.org', 'a\u2028b', 'a\u0000b', 'a\u202eb'])(
    'it has no line breaks and turns nothing around: %j',
    (inviterName) => {
      const mail = renderMail(
        'inviteMember',
        { subject: '{{ inviterName }}', text: '{{ inviterName }}{{ invitationId }}' },
        { ...invitation, inviterName },
      );
      expect(mail.subject).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
      expect(mail.text).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
      expect(mail.subject).toMatch(/^a (?:Bcc|b)/);
    },
  );

  test('a long name is cut, a long link is not', () => {
    const long = 'x'.repeat(5000);
    const named = renderMail(
      'inviteMember',
      { text: '{{ inviterName }}' },
      { ...invitation, inviterName: long },
    );
    expect(named.text).toHaveLength(320);
    const linked = renderMail(
      'resetPasswordLink',
      { text: '{{ url }}' },
      { ...link, url: `https://x.example/${long}` },
    );
    expect(linked.text).toHaveLength(5018);
    expect(renderMail('test', { subject: '😀'.repeat(300) }, exampleValues('test')).subject).toBe(
      `${'😀'.repeat(199)}…`,
    );
  });
});

describe('a link', () => {
  test.each([
    { name: 'https', url: 'https://a.example/?a=1&b=2', href: 'https://a.example/?a=1&amp;b=2' },
    { name: 'http in capitals', url: 'HTTP://a.example/', href: 'HTTP://a.example/' },
    { name: 'a script', url: 'javascript:alert(1)', href: '#' },
    { name: 'a script with a tab in it', url: 'java\tscript:alert(1)', href: '#' },
    { name: 'a script after a blank', url: ' javascript:alert(1)', href: '#' },
    { name: 'data', url: 'data:text/html,x', href: '#' },
    { name: 'no scheme', url: '//evil.example', href: '#' },
    { name: 'http without a host', url: 'https:evil', href: '#' },
    { name: 'a scheme that nobody allowed', url: 'myapp://x', href: '#' },
    {
      name: 'a scheme of the application',
      url: 'myapp://x',
      href: 'myapp://x',
      appSchemes: ['MyApp'],
    },
    {
      name: 'a scheme of browsers, though allowed',
      url: 'javascript:x',
      href: '#',
      appSchemes: ['javascript'],
    },
  ])('$name', ({ url, href, appSchemes = [] }) => {
    for (const html of ['<a href="{{ url }}">', "<a HREF = ' {{ url }}'>"]) {
      const page = renderMail('resetPasswordLink', { html }, { ...link, url }, { appSchemes }).html;
      expect(/href\s*=\s*["']\s?(.*)["']/i.exec(page)?.[1]).toBe(href);
    }
  });
});

describe('a template', () => {
  test('in part is the default for the rest; one that cannot be read too', () => {
    const own = renderMail('resetPasswordLink', { subject: 'Mine, {{email}}' }, link);
    const standard = renderMail('resetPasswordLink', undefined, link);
    expect(own).toEqual({ ...standard, subject: 'Mine, ada@example.com' });
    expect(renderMail('resetPasswordLink', { text: '{{ url', html: '{{# url }}' }, link)).toEqual(
      standard,
    );
  });

  test('whose result is too long is the default', () => {
    const text = '{{url}}'.repeat(900);
    const html = '<a href="{{url}}">x</a>'.repeat(900);
    const url = `https://example.com/${'x'.repeat(2_000)}`;
    const standard = renderMail('resetPasswordLink', undefined, { ...link, url });
    expect(renderMail('resetPasswordLink', { text, html }, { ...link, url })).toEqual(standard);
  });

  test.each([
    { minutes: 1, words: '1 minute' },
    { minutes: 10, words: '10 minutes' },
    { minutes: 0.4, words: '1 minute' },
    { minutes: 60, words: '1 hour' },
    { minutes: 90, words: '90 minutes' },
    { minutes: 2880, words: '2 days' },
  ])('$minutes minutes are $words', ({ minutes, words }) => {
    const text = '{{# expiresIn }}{{ expiresIn }}, {{ expiresInMinutes }}{{/ expiresIn }}';
    const mail = renderMail('resetPasswordLink', { text }, { ...link, expiresInMinutes: minutes });
    expect(mail.text).toBe(`${words}, ${Math.ceil(minutes)}`);
  });
});
