import { captchaRouteProblem } from '#libs/captcha';
import { functionSlug } from '#libs/wire';

import type { TextFormat } from './field.js';

const hostPattern =
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;
const emailPattern = /^[^\s@<>"(),:;\\]{1,64}@[a-z0-9.-]{1,253}\.[a-z]{2,63}$/i;
const senderPattern = /^(?:[^<>\r\n"]{1,100} )?<([^<>]+)>$/;
const appSchemePattern = /^([a-z][a-z0-9+.-]*):\/\/[^\s\\*?]*$/i;
const functionNamePattern = /^[a-z_][a-z0-9_]{0,62}\.[a-z_][a-z0-9_]{0,62}$/;
const edgeFunctionPattern = new RegExp(`^${functionSlug}$`);
const phoneSenderPattern = /^(\+[1-9]\d{1,14}|[a-z0-9]{1,11})$/i;
const webPatternPattern = /^(https?):\/\/([^/?#@\s\\]+)([/?#][^\s\\*]*)?$/i;

/** Schemes that a browser runs or opens itself: a redirect must never lead to them. */
const browserSchemes = new Set([
  'about',
  'blob',
  'data',
  'file',
  'javascript',
  'vbscript',
  'view-source',
]);

const CHECKS: Readonly<
  Record<TextFormat, { readonly allowed: string; test(text: string): boolean }>
> = {
  url: { allowed: 'an http or https URL', test: isWebUrl },
  'redirect-url': {
    allowed: 'a URL such as https://app.example.com, https://*.example.com or myapp://',
    test: isRedirectPattern,
  },
  email: { allowed: 'an email address', test: (text) => emailPattern.test(text) },
  sender: { allowed: 'an email address, or a name with the address in <>', test: isSender },
  host: { allowed: 'a host name or an IP address', test: isHost },
  domain: { allowed: 'a domain such as example.com', test: isDomain },
  id: {
    allowed: '1 to 64 letters, digits, - or _',
    test: (text) => /^[a-z0-9_-]{1,64}$/i.test(text),
  },
  'function-name': {
    allowed: 'a schema and a function such as public.on_sign_up',
    test: (text) => functionNamePattern.test(text),
  },
  'edge-function': {
    allowed: 'the slug of an edge function such as on-sign-up',
    test: (text) => edgeFunctionPattern.test(text),
  },
  'phone-sender': {
    allowed: 'a number such as +15551234567, or 1 to 11 letters and digits',
    test: (text) => phoneSenderPattern.test(text),
  },
  route: {
    allowed: 'a path such as /rest/v1/orders, with a method before it or without',
    test: (text) => captchaRouteProblem(text) === undefined,
  },
};

/** The allowed values of `format`, as the end of "must be …"; undefined if `value` is valid. */
export function formatProblem(format: TextFormat, value: string): string | undefined {
  const check = CHECKS[format];
  return check.test(value) ? undefined : `must be ${check.allowed}`;
}

function isWebUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

/**
 * A wildcard replaces labels to the left of at least two fixed ones (or of `localhost`), or the port: a wildcard for a
 * whole top-level domain would make every site in it a redirect target.
 */
function isRedirectPattern(value: string): boolean {
  const web = webPatternPattern.exec(value);
  if (!web) {
    const app = appSchemePattern.exec(value);
    const scheme = app?.[1]?.toLowerCase();
    return scheme !== undefined && !/^https?$/.test(scheme) && !browserSchemes.has(scheme);
  }
  const authority = web[2] ?? '';
  const withoutPort = authority.replace(/:\*$/, '');
  if (!withoutPort.startsWith('*.')) {
    return !withoutPort.includes('*') && isWebUrl(value.replace(`${withoutPort}:*`, withoutPort));
  }
  const parent = withoutPort.slice(2).replace(/:\d{1,5}$/, '');
  return hostPattern.test(parent) && (parent.includes('.') || parent === 'localhost');
}

function isSender(value: string): boolean {
  return emailPattern.test(senderPattern.exec(value)?.[1] ?? value);
}

function isHost(value: string): boolean {
  return hostPattern.test(value) || /^[0-9a-f:.]*:[0-9a-f:.]+$/i.test(value);
}

function isDomain(value: string): boolean {
  return hostPattern.test(value) && value.includes('.');
}
