// The page around Swagger UI. Its files are those of `/api/docs`; every address is relative, so that the
// page also stands behind a prefix. Without scripts it still leads to the document.
import { createHash } from 'node:crypto';

import type { Caller } from '#libs/wire';

const script = `
SwaggerUIBundle({
  url: document.body.dataset.document,
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  validatorUrl: null
});
`;
const scriptHash = createHash('sha256').update(script).digest('base64');

const contentSecurityPolicy = [
  `default-src 'none'`,
  `script-src 'self' 'sha256-${scriptHash}'`,
  `style-src 'self'`,
  `img-src 'self' data:`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'self'`,
].join('; ');

export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

/**
 * Where the page finds the routes: on its own host, whichever of the project's names that is. An operator
 * meets the document on the console's host, which does not have them.
 */
export function serverUrlFor(caller: Caller, baseUrl: URL): string {
  return caller.via === 'operator' ? new URL('/rest/v1', baseUrl).href : '/rest/v1';
}

/** The HTML of the page at `url`, for a project of this name. */
export function docsPage(projectName: string, url: string): string {
  const [path = ''] = url.split('?', 1);
  const isFolder = path.endsWith('/');
  const files = `${isFolder ? '../' : ''}../../${path.startsWith('/api/') ? '' : 'api/'}docs`;
  const document = isFolder ? 'openapi.json' : 'docs/openapi.json';
  const title = escapeHtml(`${projectName}: REST API`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${files}/favicon-32x32.png">
<link rel="stylesheet" href="${files}/swagger-ui.css">
</head>
<body data-document="${document}">
<noscript>
<h1>${title}</h1>
<p>This page needs scripts. Without them, read <a href="${document}">the OpenAPI document</a>.</p>
</noscript>
<div id="docs"></div>
<script src="${files}/swagger-ui-bundle.js"></script>
<script>${script}</script>
</body>
</html>
`;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');
}
