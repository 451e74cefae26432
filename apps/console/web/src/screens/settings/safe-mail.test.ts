import { expect, test } from 'vitest';

import { linksIn, mailTree, type ParsedNode, styleOf, webAddress, inertHtml } from './safe-mail.js';

const text = (nodeValue: string): ParsedNode => ({
  nodeType: 3,
  nodeName: '#text',
  nodeValue,
  childNodes: [],
});
const element = (
  nodeName: string,
  attributes: Readonly<Record<string, string>>,
  ...childNodes: readonly ParsedNode[]
): ParsedNode => ({
  nodeType: 1,
  nodeName,
  nodeValue: null,
  childNodes,
  getAttribute: (name) => attributes[name] ?? null,
});
const tree = (...nodes: readonly ParsedNode[]) => mailTree(element('BODY', {}, ...nodes));

test.each([
  'SCRIPT',
  'MAIL-SCRIPT',
  'MAIL-STYLE',
  'STYLE',
  'IFRAME',
  'OBJECT',
  'SVG',
  'TEMPLATE',
  'TEXTAREA',
])('nothing is left of %s, its text neither', (name) => {
  expect(tree(element(name, {}, text('alert(1)')))).toEqual([]);
});

test('of an unknown element its content is left', () => {
  expect(tree(element('FORM', { onsubmit: 'x()' }, element('BLINK', {}, text('hello'))))).toEqual([
    { kind: 'text', text: 'hello' },
  ]);
});

test('no attribute is kept but style and the address of a link', () => {
  const attributes = {
    onclick: 'x()',
    href: 'https://a.example/?t=1',
    'data-mail-style': 'color: red',
  };
  expect(tree(element('A', attributes, text('open')))).toEqual([
    {
      kind: 'element',
      tag: 'a',
      style: { color: 'red' },
      href: 'https://a.example/?t=1',
      children: [{ kind: 'text', text: 'open' }],
    },
  ]);
});

test('an image is named and not loaded', () => {
  const image = element('IMG', { src: 'https://spy.example/1.gif', alt: 'Logo', onerror: 'x()' });
  expect(tree(image)).toEqual([{ kind: 'image', text: 'Logo' }]);
});

test.each([
  'javascript:alert(1)',
  ' java\nscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  '//other.example',
  '/account',
  'mailto:a@example.org',
  'https://',
])('no link leads to %j', (address) => {
  expect(webAddress(address)).toBeUndefined();
});

test.each([
  ['background: url(https://spy.example/1.gif)', {}],
  ['background-color: u\\72l(x)', {}],
  ['color: var(--danger)', {}],
  ['width: expression(alert(1))', {}],
  ['position: fixed; top: 0; z-index: 99', {}],
  ['padding: 4px /* x */', {}],
  ['background: #fff; font-size:14px !important', { backgroundColor: '#fff', fontSize: '14px' }],
])('of the style "%s" the look is left', (style, kept) => {
  expect(styleOf(style)).toEqual(kept);
});

test.each([
  [`<p class="x"STYLE = 'a'>a style = b</p>`, `<p class="x"data-mail-STYLE = 'a'>a style = b</p>`],
  [`<br/style=x>`, `<br/data-mail-style=x>`],
  [`<img alt=">" onerror="x()">`, `<img alt=">" data-mail-onerror="x()">`],
  [`<p don't onclick='x'>`, `<p don't data-mail-onclick='x'>`],
  [
    `<Script>x()</SCRIPT><style>p{}</style>`,
    `<mail-Script>x()</mail-SCRIPT><mail-style>p{}</mail-style>`,
  ],
  [`1 < 2 onclick = 3 <p onclick="`, `1 < 2 onclick = 3 <p onclick="`],
])('%s has nothing that would run or apply', (html, inert) => {
  expect(inertHtml(html)).toBe(inert);
});

test('links of a text are found, without the sentence around them', () => {
  expect(linksIn('Open (https://a.example/x?y=1) now')).toEqual([
    { text: 'Open (', isLink: false },
    { text: 'https://a.example/x?y=1', isLink: true },
    { text: ') now', isLink: false },
  ]);
});
