// The pages of the console, built by bin/build-console.js: one document and the files that it loads. The names of the
// files have a hash of their content, so a client keeps them for good. They are kept in memory: a build that is
// replaced on the disk does not change a running server, whose document names its own files. The same build is the
// studio of a project.
import { gzipSync } from 'node:zlib';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { fail } from '#libs/errors';

import { acceptsCoding } from './encodings.js';

/** One file in the encodings in which it is sent. */
export interface ConsoleFile {
  readonly plain: Buffer;
  readonly gzip?: Buffer | undefined;
  readonly br?: Buffer | undefined;
}

export interface ConsoleFiles {
  /** The document, with the placeholder of its base. */
  readonly page: string;
  /** By the name below `assets/`. */
  readonly assets: ReadonlyMap<string, ConsoleFile>;
}

/**
 * What the document may load and run: files of this server alone, and no code or style within the document. `ownFiles`
 * is the source of scripts, styles and fonts. Addresses of `blob:` are content that the page has read itself: previews
 * of stored files. They inherit this policy, so no script within them runs.
 */
const policyWith = (ownFiles: string): string =>
  [
    `default-src 'none'`,
    `script-src ${ownFiles}`,
    `style-src ${ownFiles}`,
    `img-src 'self' blob:`,
    `media-src blob:`,
    `frame-src blob:`,
    `connect-src 'self'`,
    `font-src ${ownFiles}`,
    `base-uri 'self'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');

const anyOwnFile = `'self'`;

/** The path of the studio on the host of a project. The pages know by their base which of the two they are. */
export const studioBase = '/studio/';

/** The screens of a project that the console and the studio have, by their paths below the project. */
export const projectScreens = [
  'tables',
  'structure',
  'diagram',
  'sql',
  'policies',
  'users',
  'organizations',
  'files',
  'realtime',
  'api',
  'requests',
  'audit',
  'settings',
  'settings/:part',
] as const;

/** Screens of a project that the studio has not: their routes are the platform's. */
const platformScreens = ['keys', 'domains'] as const;

/** The addresses of the console's pages, as patterns of routes. */
export const consolePages: readonly string[] = [
  'sign-in',
  'invitation',
  'projects',
  'projects/:ref',
  ...[...projectScreens, ...platformScreens].map((screen) => `projects/:ref/${screen}`),
  'operators',
  'audit',
  'deployment',
  'account',
];

const builtBase = '<base href="/" />';
const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

interface PagePlace {
  readonly files: ConsoleFiles;
  /** The path below which the pages are served: that of the console, or of the studio. */
  readonly base: '/' | typeof studioBase;
  readonly status: 200 | 404;
}

/** Answers with the document: every page of the console begins with it. */
export function sendConsolePage(
  request: FastifyRequest,
  reply: FastifyReply,
  { files, base, status }: PagePlace,
): void {
  const page = Buffer.from(files.page.replace(builtBase, `<base href="${base}" />`));
  const isGzipped = acceptsCoding(request.headers['accept-encoding'], 'gzip');
  reply.code(status).headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyWith(ownFilesOf(request, base)),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    // It names the files of one build.
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
    ...(isGzipped && { 'content-encoding': 'gzip' }),
  });
  reply.send(isGzipped ? gzipSync(page) : page);
}

/** Names that a policy can have: no IP addresses. */
const namedHost = /^(?:[a-z\d-]+\.)*[a-z][a-z\d-]*(?::\d{1,5})?$/i;

/**
 * The source of the files of the build in a policy. The studio shares its host with the files that the project serves,
 * so its source is the folder of the build. A source with a path needs the host; without a scheme it has that of the
 * document (CSP Level 3, §6.7.2.8). Proxies may leave the port out, so a missing one is any port.
 */
function ownFilesOf({ headers: { host = '' } }: FastifyRequest, base: PagePlace['base']): string {
  if (base !== studioBase || !namedHost.test(host)) return anyOwnFile;
  return `${host}${host.includes(':') ? '' : ':*'}${base}assets/`;
}

/** Answers with a file of the build. Throws NOT_FOUND for a name that it does not have. */
export function sendConsoleAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  { files, name }: { readonly files: ConsoleFiles; readonly name: string },
): void {
  const file = files.assets.get(name);
  const type = types[name.slice(name.lastIndexOf('.') + 1)];
  if (!file || type === undefined) throw fail('NOT_FOUND', { path: `/assets/${name}` });
  const accepted = request.headers['accept-encoding'];
  const coding = (['br', 'gzip'] as const).find(
    (each) => file[each] !== undefined && acceptsCoding(accepted, each),
  );
  const content = (coding && file[coding]) ?? file.plain;
  reply.headers({
    'content-type': type,
    // A picture that is opened by itself runs nothing either.
    'content-security-policy': policyWith(anyOwnFile),
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
    ...(coding && { 'content-encoding': coding }),
  });
  reply.send(content);
}

/** Whether a browser asks for a page to show, and not for data or a part of a page. */
export function isNavigation({ method, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const mode = headers['sec-fetch-mode'];
  // Browsers leave the header out on addresses without HTTPS.
  if (mode === undefined) return /^text\/html\b/.test(headers.accept ?? '');
  return mode === 'navigate';
}
