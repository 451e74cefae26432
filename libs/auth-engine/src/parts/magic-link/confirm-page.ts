// The page behind a link in a mail. Programs that read mails open links, so opening one does nothing: the
// button does. It works without scripts, loads nothing, sends its address to no other server, and cannot be put
// into a frame, where a user could press the button without seeing it.
import { createHash } from 'node:crypto';

const style = `
:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5 }
body { margin: 0; min-height: 100vh; display: grid; place-items: center }
main { max-width: 24rem; padding: 1.5rem }
h1 { font-size: 1.25rem; margin: 0 0 .5rem }
button { font: inherit; padding: .6rem 1.5rem; border: 0; border-radius: .5rem;
  background: #1f5eff; color: #fff; cursor: pointer }
small { display: block; margin-top: 1.5rem; opacity: .75 }
`;

/**
 * No rule for `form-action`: Chromium holds it against the redirect that follows the form, which leads to the
 * application.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What a page asks for. */
export interface ConfirmTexts {
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly note: string;
}

export interface ConfirmForm {
  readonly texts: ConfirmTexts;
  /** The last segment of the address that the page has. */
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Returns the page, whose button sends `fields` to the address that the page has. */
export function confirmPage({ texts, action, fields }: ConfirmForm): Response {
  const inputs = Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`)
    .join('\n');
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${escape(texts.title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escape(texts.title)}</h1>
<p>${escape(texts.text)}</p>
<form method="post" action="${escape(action)}">
${inputs}
<button type="submit">${escape(texts.button)}</button>
</form>
<small>${escape(texts.note)}</small>
</main>
</body>
</html>
`;
  return new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy,
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'x-content-type-options': 'nosniff',
    },
  });
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
