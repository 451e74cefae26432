// The default texts of a mail, built from one list of blocks, so that plain text and HTML say the same.

/** A part of a mail. A block with `when` appears only if that variable has a value. */
export type Block =
  | { readonly kind: 'paragraph'; readonly text: string; readonly when?: string }
  | {
      readonly kind: 'button';
      readonly label: string;
      readonly url: string;
      readonly when?: string;
    }
  | { readonly kind: 'code'; readonly value: string; readonly when?: string };

export const paragraph = (text: string, when?: string): Block => ({
  kind: 'paragraph',
  text,
  ...(when !== undefined && { when }),
});
export const button = (label: string, url: string, when?: string): Block => ({
  kind: 'button',
  label,
  url,
  ...(when !== undefined && { when }),
});
export const code = (value: string, when?: string): Block => ({
  kind: 'code',
  value,
  ...(when !== undefined && { when }),
});

/** The blocks as a plain text template. */
export function plainText(blocks: readonly Block[]): string {
  const parts = blocks.map((block) => conditional(block.when, `${plainBlock(block)}\n\n`));
  return `${parts.join('')}-- \n{{ appName }}\n{{ siteUrl }}\n`;
}

function plainBlock(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return block.text;
    case 'button':
      return `${block.label}:\n{{ ${block.url} }}`;
    case 'code':
      return `    {{ ${block.value} }}`;
  }
}

/**
 * The blocks as an HTML template. Colors are in style attributes, which Outlook reads, and again in classes, which dark
 * mode overrides. The layout uses tables because Outlook supports nothing else; `role` hides them from screen readers.
 */
export function htmlPage(blocks: readonly Block[]): string {
  const body = blocks.map((block) => conditional(block.when, `${htmlBlock(block)}\n`)).join('');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>{{ appName }}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background-color: #15171a !important; }
  .card { background-color: #22252a !important; }
  .words { color: #f2f3f5 !important; }
  .small { color: #b3b8c0 !important; }
  .code { background-color: #33373e !important; color: #ffffff !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#f3f4f6;">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#f3f4f6" style="background-color:#f3f4f6;">
<tr><td align="center" style="padding:32px 16px;">
<table role="presentation" class="card" width="520" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff" style="width:100%;max-width:520px;background-color:#ffffff;border-radius:8px;">
<tr><td style="padding:32px;font-family:Arial,Helvetica,sans-serif;">
<h1 class="words" style="margin:0 0 24px;font-size:20px;line-height:28px;color:#16181d;">{{ appName }}</h1>
${body}</td></tr>
</table>
<p class="small" style="margin:16px 0 0;font-family:Arial,Helvetica,sans-serif;font-size:13px;line-height:20px;color:#565c66;">Sent to {{ email }} by <a class="small" href="{{ siteUrl }}" style="color:#565c66;">{{ appName }}</a></p>
</td></tr>
</table>
</body>
</html>
`;
}

const words = 'font-size:16px;line-height:24px;color:#16181d;';

function htmlBlock(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p class="words" style="margin:0 0 16px;${words}">${block.text}</p>`;
    case 'button':
      return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px;">
<tr><td bgcolor="#1d4ed8" style="background-color:#1d4ed8;border-radius:6px;">
<a href="{{ ${block.url} }}" style="display:inline-block;padding:12px 24px;font-family:Arial,Helvetica,sans-serif;font-size:16px;line-height:24px;font-weight:bold;color:#ffffff;text-decoration:none;">${block.label}</a>
</td></tr>
</table>
<p class="small" style="margin:0 0 16px;font-size:13px;line-height:20px;color:#565c66;word-break:break-all;">If the button does not work, copy this address into your browser:<br>{{ ${block.url} }}</p>`;
    case 'code':
      return `<p class="code" style="margin:0 0 16px;padding:16px;border-radius:6px;background-color:#eceef2;font-family:Consolas,Menlo,monospace;font-size:28px;line-height:36px;letter-spacing:4px;text-align:center;color:#16181d;">{{ ${block.value} }}</p>`;
  }
}

function conditional(when: string | undefined, text: string): string {
  return when === undefined ? text : `{{# ${when} }}${text}{{/ ${when} }}`;
}
