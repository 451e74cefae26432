// The HTML of a mail as a tree of what may be shown: no scripts, no forms, nothing that loads. The pages permit no frame,
// so a mail is drawn by the console itself, from this tree alone.

export type MailNode =
  | { readonly kind: 'text'; readonly text: string }
  /** An image is named and not loaded: its sender would learn that the mail was read. */
  | { readonly kind: 'image'; readonly text: string }
  | {
      readonly kind: 'element';
      readonly tag: MailTag;
      readonly style: Readonly<Record<string, string>>;
      /** An address of the web; of links alone. */
      readonly href: string | undefined;
      readonly children: readonly MailNode[];
    };

const tags = [
  'a',
  'b',
  'blockquote',
  'br',
  'code',
  'div',
  'em',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'i',
  'li',
  'ol',
  'p',
  'pre',
  's',
  'small',
  'span',
  'strong',
  'sub',
  'sup',
  'table',
  'tbody',
  'td',
  'tfoot',
  'th',
  'thead',
  'tr',
  'u',
  'ul',
] as const;
export type MailTag = (typeof tags)[number];

/** Elements whose text is no text of the mail. */
const silent: ReadonlySet<string> = new Set([
  'script',
  'style',
  'head',
  'title',
  'template',
  'noscript',
  'iframe',
  'object',
  'embed',
  'svg',
  'math',
  'select',
  'textarea',
  'audio',
  'video',
  'canvas',
  'mail-script',
  'mail-style',
]);

const properties: ReadonlySet<string> = new Set([
  'background-color',
  'border',
  'border-collapse',
  'border-color',
  'border-radius',
  'border-style',
  'border-top',
  'border-bottom',
  'border-width',
  'color',
  'display',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'height',
  'letter-spacing',
  'line-height',
  'margin',
  'margin-bottom',
  'margin-left',
  'margin-right',
  'margin-top',
  'max-width',
  'padding',
  'padding-bottom',
  'padding-left',
  'padding-right',
  'padding-top',
  'text-align',
  'text-decoration',
  'text-transform',
  'vertical-align',
  'white-space',
  'width',
  'word-break',
]);

/** What loads, runs or takes values from the page. */
const refusedValue = /url|expression|var|env|attr|image|[\\<>{}@]|\/\*/i;
const maxDepth = 60;

/** The part of a DOM node that is read: a document that was parsed and is not shown. */
export interface ParsedNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly childNodes: Iterable<ParsedNode>;
  getAttribute?(name: string): string | null;
}

const elementNode = 1;
const textNode = 3;

/** The name that styles have in an {@link inertHtml}. */
export const styleAttribute = 'data-mail-style';

const tagStart = /<\/?[a-z]/gi;

/**
 * HTML whose scripts, style sheets, handlers and styles have other names, so that a document which is parsed from it has
 * none of them. The policy of the page would refuse each, and report it.
 */
export function inertHtml(html: string): string {
  let inert = '';
  let at = 0;
  for (;;) {
    tagStart.lastIndex = at;
    const start = tagStart.exec(html)?.index;
    const end = start === undefined ? undefined : endOfTag(html, start);
    if (start === undefined || end === undefined) return inert + html.slice(at);
    inert += html.slice(at, start) + inertTag(html.slice(start, end));
    at = end;
  }
}

/** The offset behind a tag; a `>` in a quoted value does not end it. Undefined if it has no end. */
function endOfTag(html: string, start: number): number | undefined {
  let quote = '';
  let before = '';
  for (let at = start; at < html.length; at += 1) {
    const sign = html.charAt(at);
    if (quote !== '') {
      if (sign === quote) quote = '';
    } else if (sign === '>') return at + 1;
    else if ((sign === '"' || sign === "'") && before === '=') quote = sign;
    if (sign.trim() !== '') before = sign;
  }
  return undefined;
}

function inertTag(tag: string): string {
  return tag
    .replace(/^<(\/?)(style|script)\b/i, '<$1mail-$2')
    .replaceAll(/([\s"'/])(style|on[a-z]+)(?=\s*=)/gi, '$1data-mail-$2');
}

/** The tree of what may be shown of a parsed mail. */
export function mailTree(node: ParsedNode, depth = 0): readonly MailNode[] {
  return [...node.childNodes].flatMap((child) => treeOf(child, depth));
}

function treeOf(node: ParsedNode, depth: number): readonly MailNode[] {
  if (node.nodeType === textNode) return [{ kind: 'text', text: node.nodeValue ?? '' }];
  if (node.nodeType !== elementNode || depth > maxDepth) return [];
  const name = node.nodeName.toLowerCase();
  if (silent.has(name)) return [];
  if (name === 'img') {
    const alt = node.getAttribute?.('alt') ?? '';
    return [{ kind: 'image', text: alt === '' ? 'image' : alt }];
  }
  const children = mailTree(node, depth + 1);
  const tag = tags.find((each) => each === name);
  if (!tag) return children;
  const href = tag === 'a' ? webAddress(node.getAttribute?.('href') ?? '') : undefined;
  return [
    {
      kind: 'element',
      tag,
      style: styleOf(node.getAttribute?.(styleAttribute) ?? ''),
      href,
      children,
    },
  ];
}

/** The address of a link if a browser may open it from here: of the web alone. */
export function webAddress(text: string): string | undefined {
  const address = text.trim();
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  return address;
}

/** The declarations of a style that change the look alone, by the names that React gives them. */
export function styleOf(text: string): Readonly<Record<string, string>> {
  const style: Record<string, string> = {};
  for (const declaration of text.split(';')) {
    const colon = declaration.indexOf(':');
    const named = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase();
    // `background` has colors and images; a color alone is what is left of it.
    const name = named === 'background' ? 'background-color' : named;
    const value = declaration
      .slice(colon + 1)
      .replace(/!important/i, '')
      .trim();
    if (!properties.has(name) || value === '' || refusedValue.test(value)) continue;
    style[name.replaceAll(/-([a-z])/g, (_all, letter: string) => letter.toUpperCase())] = value;
  }
  return style;
}

/** A text in pieces: addresses of the web, and what is between them. */
export function linksIn(
  text: string,
): readonly { readonly text: string; readonly isLink: boolean }[] {
  return text
    .split(/(https?:\/\/[^\s<>"')\]]+)/i)
    .map((piece, place) => ({ text: piece, isLink: place % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}
