// The page behind the link of an invitation: one document that needs no build and loads no other file. The token is in
// the fragment of the URL, which browsers do not send.
import { createHash } from 'node:crypto';

const style = `
:root { color-scheme: light dark; --ink: #1c2430; --paper: #fff; --line: #c5ccd6; --soft: #5b6675;
  --accent: #1f5fbf; --bad: #b3261e; --back: #f2f4f7; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7ebf0; --paper: #1b212a; --line: #465161;
  --soft: #a3afbf; --accent: #7fb0ff; --bad: #ff8f86; --back: #11151b; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem;
  background: var(--back); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 26rem; background: var(--paper); border: 1px solid var(--line);
  border-radius: 12px; padding: 2rem; }
h1 { margin: 0 0 .25rem; font-size: 1.4rem; line-height: 1.25; }
p { margin: 0 0 1.25rem; color: var(--soft); }
label { display: block; margin: 0 0 1rem; font-weight: 600; font-size: .9rem; }
input { display: block; width: 100%; margin-top: .35rem; padding: .6rem .7rem; font: inherit;
  font-weight: 400; color: inherit; background: transparent; border: 1px solid var(--line);
  border-radius: 8px; }
input:focus-visible, button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
small { display: block; margin-top: .3rem; font-weight: 400; color: var(--soft); }
button { font: inherit; cursor: pointer; border-radius: 8px; }
button[type=submit] { width: 100%; padding: .65rem; border: 0; font-weight: 600; color: var(--paper);
  background: var(--accent); }
button[type=submit]:disabled { opacity: .6; cursor: progress; }
button[type=button] { display: block; margin: 1rem auto 0; padding: .2rem .4rem; border: 0;
  background: none; color: var(--accent); text-decoration: underline; }
[role=alert] { margin: 0 0 1rem; color: var(--bad); }
[hidden] { display: none !important; }
`;

const script = `
'use strict';
const at = (id) => document.getElementById(id);
const invitation = new URLSearchParams(location.hash.slice(1)).get('token');
const texts = {
  join: ['You are invited', 'Choose a password to work on projects in this Rowhouse console.'],
  sign: ['You are invited', 'Sign in with the address that the invitation was sent to.'],
  code: ['Second factor', 'Enter the code of your authenticator.'],
  done: ['You are in', ''],
  lost: ['The link is not complete', 'Open the link of the invitation again, including the part after the #.'],
};
let mode = 'join';
let challenge;
function show(next, note) {
  mode = next;
  at('title').textContent = texts[next][0];
  at('note').textContent = note || texts[next][1];
  at('form').hidden = next === 'done' || next === 'lost';
  for (const part of document.querySelectorAll('[data-in]')) {
    const isShown = part.dataset.in.split(' ').includes(next);
    part.hidden = !isShown;
    for (const input of part.querySelectorAll('input')) input.disabled = !isShown;
  }
  at('password').autocomplete = next === 'join' ? 'new-password' : 'current-password';
  at('password').minLength = next === 'join' ? 12 : 1;
  at('submit').textContent = next === 'join' ? 'Accept the invitation' : 'Sign in and accept';
  at('switch').textContent = next === 'join' ? 'I have an account here' : 'I am new here';
  at('switch').hidden = next !== 'join' && next !== 'sign';
  complain('');
}
function complain(text) {
  at('problem').textContent = text;
  at('problem').hidden = text === '';
}
async function ask(path, body, token) {
  const headers = { 'content-type': 'application/json' };
  if (token) headers.authorization = 'Bearer ' + token;
  const reply = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = reply.status === 204 ? {} : await reply.json();
  if (!reply.ok) throw Object.assign(new Error(answer.message), { code: answer.code });
  return answer;
}
async function accept(body, token) {
  const { email } = await ask('/platform/operators/invitations/accept', { token: invitation, ...body }, token);
  if (token) await ask('/auth/sign-out', {}, token);
  show('done', 'You can sign in to the console as ' + email + ' now.');
}
async function submit() {
  if (mode === 'join') {
    await accept({ name: at('name').value, password: at('password').value });
    return;
  }
  let answer;
  if (mode === 'code') {
    answer = await ask('/auth/two-factor/verify-totp', { code: at('code').value }, challenge);
  } else {
    answer = await ask('/platform/login', { email: at('email').value, password: at('password').value });
    if (answer.twoFactor) {
      challenge = answer.token;
      show('code');
      at('code').focus();
      return;
    }
  }
  await accept({}, answer.token);
}
at('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  complain('');
  at('submit').disabled = true;
  try {
    await submit();
  } catch (error) {
    if (error.code === 'OPERATOR_EXISTS') {
      show('sign', 'An account with this address already exists. Sign in to accept the invitation.');
    } else {
      complain(error.message || 'The server could not be reached. Try again.');
    }
  } finally {
    at('submit').disabled = false;
  }
});
at('switch').addEventListener('click', () => show(mode === 'join' ? 'sign' : 'join'));
show(invitation ? 'join' : 'lost');
`;

/** The complete document. */
export const invitationPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Invitation · Rowhouse</title>
<style>${style}</style>
</head>
<body>
<main>
<h1 id="title">You are invited</h1>
<p id="note" aria-live="polite"></p>
<noscript><p>This page needs JavaScript.</p></noscript>
<form id="form" hidden>
<p role="alert" id="problem" hidden></p>
<label data-in="join">Name<input id="name" autocomplete="name" maxlength="128"></label>
<label data-in="sign">E-mail address<input id="email" type="email" autocomplete="username" required></label>
<label data-in="join sign">Password<input id="password" type="password" maxlength="128" required><small data-in="join">At least 12 characters.</small></label>
<label data-in="code">Code<input id="code" inputmode="numeric" autocomplete="one-time-code" required></label>
<button type="submit" id="submit">Accept the invitation</button>
<button type="button" id="switch">I have an account here</button>
</form>
</main>
<script>${script}</script>
</body>
</html>
`;

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Runs and shows only what is in the document itself, and sends requests to this server alone. */
export const invitationPolicy = [
  `default-src 'none'`,
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  `connect-src 'self'`,
  `form-action 'none'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ');
