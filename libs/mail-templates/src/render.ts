import { HtmlReader, type Place } from './html-place.js';
import {
  MAIL_KINDS,
  type MailKind,
  type MailValues,
  type MailVariables,
  variablesOf,
} from './kinds.js';
import { parseTemplate, type Part } from './parse.js';

/** The texts of an administrator for a kind; each missing part is the default. */
export interface MailTemplate {
  readonly subject?: string | undefined;
  readonly text?: string | undefined;
  readonly html?: string | undefined;
}

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface RenderLimits {
  /** Schemes besides http and https that a link may have, e.g. `myapp`. */
  readonly appSchemes?: readonly string[];
}

type Values = Readonly<Record<string, string | number | undefined>>;
type Write = (name: string) => string;
type Fill = (parts: readonly Part[]) => string;

/** Longer values of user input are cut; links are not. In characters. */
const maxValueLength = 320;
const maxSubjectLength = 200;
/** Limit of each part of a mail. A template may contain a long link many times. */
const maxPartLength = 512 * 1024;
/** Schemes that a browser runs or opens itself: a link never has one of them, even if a list allows it. */
const browserSchemes: ReadonlySet<string> = new Set([
  'about',
  'blob',
  'data',
  'file',
  'filesystem',
  'javascript',
  'vbscript',
  'view-source',
]);
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Renders the mail of a kind. Values are escaped for their position; an address whose scheme is neither http, https nor
 * in `appSchemes` never becomes a link. If a part of the template cannot be parsed, or its result is too long, the
 * default is used. A name without a value becomes empty.
 */
export function renderMail<K extends MailKind>(
  kind: K,
  template: MailTemplate | undefined,
  values: MailValues<K>,
  limits: RenderLimits = {},
): RenderedMail {
  const row = MAIL_KINDS[kind];
  const clean = cleaned(values, variablesOf(kind));
  const plain: Write = (name) => clean[name] ?? '';
  const fillPlain: Fill = (parts) => fillIn(parts, clean, plain);
  const fillHtml: Fill = (parts) => fillInHtml(parts, clean, limits.appSchemes ?? []);
  const subject = filled(template?.subject, row.subject, fillPlain);
  return {
    subject: cut(oneLine(subject), maxSubjectLength),
    text: filled(template?.text, row.text, fillPlain),
    html: filled(template?.html, row.html, fillHtml),
  };
}

function filled(source: string | undefined, otherwise: string, fill: Fill): string {
  const result = fill(partsOf(source, otherwise));
  return result.length > maxPartLength ? fill(partsOf(undefined, otherwise)) : result;
}

function partsOf(source: string | undefined, otherwise: string): readonly Part[] {
  const parsed = parseTemplate(source ?? otherwise);
  if (parsed.kind === 'template') return parsed.parts;
  // Only a stored template can be broken: an older release may have accepted it.
  if (source === undefined) throw new Error(`a default template is broken: ${parsed.reason}`);
  return partsOf(undefined, otherwise);
}

/** The values as single lines of printable characters; empty values are left out. */
function cleaned(values: Values, variables: MailVariables): Readonly<Record<string, string>> {
  const { expiresInMinutes, ...rest } = values;
  const minutes = Number(expiresInMinutes);
  const all: Values = {
    ...rest,
    ...(minutes > 0 && { expiresInMinutes: Math.ceil(minutes), expiresIn: inWords(minutes) }),
  };
  const entries = Object.entries(all).flatMap(([name, value]) => {
    const text = oneLine(String(value ?? ''));
    const isWhole = variables[name]?.form === 'link';
    return text === '' ? [] : [[name, isWhole ? text : cut(text, maxValueLength)] as const];
  });
  return Object.fromEntries(entries);
}

/** Line breaks, other control characters and characters that change the direction of writing become one space. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
}

function cut(text: string, maxLength: number): string {
  const characters = Array.from(text);
  if (characters.length <= maxLength) return text;
  return `${characters.slice(0, maxLength - 1).join('')}…`;
}

function inWords(minutes: number): string {
  const whole = Math.ceil(minutes);
  const [amount, unit] =
    whole % 1440 === 0
      ? [whole / 1440, 'day']
      : whole % 60 === 0
        ? [whole / 60, 'hour']
        : [whole, 'minute'];
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}

function fillIn(parts: readonly Part[], values: Values, write: Write): string {
  return shown(parts, values)
    .map((part) => (part.kind === 'text' ? part.text : write(part.name)))
    .join('');
}

function fillInHtml(
  parts: readonly Part[],
  values: Readonly<Record<string, string>>,
  appSchemes: readonly string[],
): string {
  const reader = new HtmlReader();
  return shown(parts, values)
    .map((part) => {
      if (part.kind === 'text') {
        reader.read(part.text);
        return part.text;
      }
      const value = values[part.name] ?? '';
      const text = inPlace(reader.place, value, appSchemes);
      if (text !== '') reader.passValue();
      return text;
    })
    .join('');
}

/** The parts without sections: sections whose name has a value are unwrapped, the others are removed. */
function shown(
  parts: readonly Part[],
  values: Values,
): readonly Exclude<Part, { readonly kind: 'section' }>[] {
  return parts.flatMap((part) => {
    if (part.kind !== 'section') return [part];
    return values[part.name] === undefined ? [] : shown(part.parts, values);
  });
}

function inPlace(place: Place, value: string, appSchemes: readonly string[]): string {
  switch (place) {
    case 'text':
    case 'attribute':
      return escapeHtml(value);
    case 'url':
      return isLink(value, appSchemes) ? escapeHtml(value) : '#';
    case 'url-rest':
      return escapeHtml(encodeURIComponent(value));
    case 'unsafe':
      return '';
  }
}

function isLink(value: string, appSchemes: readonly string[]): boolean {
  if (/^https?:\/\//i.test(value)) return URL.canParse(value);
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(value)?.[1]?.toLowerCase();
  if (scheme === undefined || browserSchemes.has(scheme)) return false;
  return appSchemes.some((allowed) => allowed.toLowerCase() === scheme);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
