// The page around Swagger UI. It is the same for every caller and contains nothing of the project but its name: a
// browser cannot send a header with an address, so the page asks for a key or a sign-in and fetches the document with
// it. Its files are those of `/api/docs`; every address is relative, so that the page also works behind a prefix.
import { createHash } from 'node:crypto';

import { type Caller, restPath } from '#libs/wire';

const style = `
:root { color-scheme: light; }
body { margin: 0; background: #f2f4f7; color: #1c2430; font: 1rem/1.5 system-ui, sans-serif; }
form { max-width: 26rem; margin: 12vh auto 2rem; padding: 2rem; background: #fff;
  border: 1px solid #c5ccd6; border-radius: 12px; }
form h1 { margin: 0 0 .25rem; font-size: 1.4rem; line-height: 1.25; overflow-wrap: anywhere; }
form p { margin: 0 0 1rem; }
form label { display: block; font-weight: 600; font-size: .9rem; }
form input { display: block; box-sizing: border-box; width: 100%; margin-top: .35rem;
  padding: .6rem .7rem; font: inherit; border: 1px solid #c5ccd6; border-radius: 8px; }
form button { width: 100%; padding: .65rem; border: 0; border-radius: 8px; font: inherit;
  font-weight: 600; color: #fff; background: #1f5fbf; cursor: pointer; }
form :focus-visible { outline: 2px solid #1f5fbf; outline-offset: 2px; }
#notice { margin: 0; color: #b3261e; }
#docs { background: #fff; }
[hidden] { display: none !important; }
@media (max-width: 30rem) { form { margin: 1rem; padding: 1.25rem; } }
`;
const script = `
const addresses = document.body.dataset;
const form = document.getElementById('sign-in');
const notice = document.getElementById('notice');
const second = document.getElementById('second');

/** Shows the document as the caller with these headers sees it; false when the caller may not read it. */
async function show(headers) {
  const reply = await fetch(addresses.document, { headers });
  if (!reply.ok) return false;
  form.hidden = true;
  SwaggerUIBundle({
    spec: await reply.json(),
    dom_id: '#docs',
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    filter: true,
    validatorUrl: null,
    requestInterceptor: (request) => {
      Object.assign(request.headers, headers);
      return request;
    },
  });
  return true;
}

async function post(address, body) {
  const reply = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await reply.json();
  if (!reply.ok) throw new Error(answer.message);
  return answer;
}

/** The headers for the credential in the form; undefined when a second factor is needed first. */
async function credentialOf({ key, email, password, code }) {
  if (key !== '') return { apikey: key };
  const answer = second.hidden
    ? await post(addresses.login, { email, password })
    : await post(addresses.verify, { code });
  if (typeof answer.token === 'string') return { authorization: 'Bearer ' + answer.token };
  second.hidden = false;
  return undefined;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  notice.textContent = '';
  try {
    const headers = await credentialOf(Object.fromEntries(new FormData(form)));
    if (headers === undefined) notice.textContent = 'Enter the code of your authenticator.';
    else if (!(await show(headers))) notice.textContent = 'This page is for administrators.';
  } catch (error) {
    notice.textContent = error.message;
  }
});

// A session cookie of an administrator is enough.
show({}).then((isShown) => {
  form.hidden = isShown;
});
`;
const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const contentSecurityPolicy = [
  `default-src 'none'`,
  `script-src 'self' ${hashOf(script)}`,
  `style-src 'self' ${hashOf(style)}`,
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
  return caller.via === 'operator' ? new URL(restPath, baseUrl).href : restPath;
}

/** The HTML of the page at `url`, for a project of this name. */
export function docsPage(projectName: string, url: string): string {
  const [path = ''] = url.split('?', 1);
  const isFolder = path.endsWith('/');
  const files = `${isFolder ? '../' : ''}../../${path.startsWith('/api/') ? '' : 'api/'}docs`;
  const document = isFolder ? 'openapi.json' : 'docs/openapi.json';
  const auth = `${isFolder ? '../' : ''}../../${path.startsWith('/api/') ? '../' : ''}auth`;
  const title = escapeHtml(`${projectName}: REST API`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${files}/favicon-32x32.png">
<link rel="stylesheet" href="${files}/swagger-ui.css">
<style>${style}</style>
</head>
<body data-document="${document}" data-login="${auth}/login" data-verify="${auth}/two-factor/verify-totp">
<noscript>
<h1>${title}</h1>
<p>This page needs scripts. Without them, read <a href="${document}">the OpenAPI document</a> with a key.</p>
</noscript>
<form id="sign-in" hidden>
<h1>${title}</h1>
<p>Enter the secret key of the project, or sign in as one of its administrators.</p>
<p><label>Secret key <input name="key" type="password" autocomplete="off"></label></p>
<p><label>Email <input name="email" type="email" autocomplete="username"></label></p>
<p><label>Password <input name="password" type="password" autocomplete="current-password"></label></p>
<p id="second" hidden><label>Code <input name="code" inputmode="numeric" autocomplete="one-time-code"></label></p>
<p><button>Open</button></p>
<p id="notice" role="alert"></p>
</form>
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
