// What stands in the mails of a test project.
import type { AuthProject, Reply } from './auth-project.js';
import { textAt } from '../support/replies.js';

/** The newest mail to an address. */
export function lastMail(project: AuthProject, to: string): AuthProject['mails'][number] {
  const mail = project.mails.findLast((each) => each.to === to);
  if (!mail) throw new Error(`there is no mail to ${to}`);
  return mail;
}

/** The code in the newest mail to an address. */
export function mailedCode(project: AuthProject, to: string): string {
  return textAt(lastMail(project, to).values, 'code');
}

/** The link in the newest mail to an address, as a path below the auth routes. */
export function mailedPath(project: AuthProject, to: string): string {
  const url = new URL(textAt(lastMail(project, to).values, 'url'));
  if (url.origin !== 'http://abc.localhost:8000') throw new Error(`a link to ${url.origin}`);
  return `${url.pathname.replace('/api/auth', '')}${url.search}`;
}

/** Presses the button of the page behind a link: what a browser sends for its form. */
export function press(project: AuthProject, path: string, headers = {}): Promise<Reply> {
  const [route = '', query] = path.split('?');
  return project.post(route, {
    body: query,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'null', ...headers },
  });
}

/** Another code of the same length. */
export function wrongCode(code: string): string {
  return code.replace(/./g, (digit) => String((Number(digit) + 1) % 10));
}

/** Addresses that no redirect may lead to, although some look as if they were allowed. */
export const EVIL_TARGETS = [
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/%5cevil.example',
  '/\t/evil.example',
  'https:evil.example',
  'https://app.example.com@evil.example',
  'https://app.example.com.evil.example',
  'http://app.example.com',
  'javascript:alert(1)',
  'data:text/html,x',
  'otherapp://callback',
] as const;
