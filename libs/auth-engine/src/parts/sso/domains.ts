// Mail domains that providers speak for.
import { fail } from '#libs/errors';
import { asciiDomain } from '#libs/wire';
import { isStandInAddress } from '../../sign-up-policy.js';

const maxDomains = 20;
const maxDomainLength = 253;
const labelPattern = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** Mail for everybody: no company owns the addresses there. */
const PUBLIC_MAIL: ReadonlySet<string> = new Set(
  `
    gmail.com googlemail.com icloud.com me.com mac.com mail.com email.com proton.me
    protonmail.com pm.me tutanota.com tuta.com fastmail.com hey.com zoho.com web.de t-online.de
    freenet.de posteo.de mailbox.org mail.ru bk.ru list.ru inbox.ru ya.ru rambler.ru qq.com
    foxmail.com 163.com 126.com sina.com naver.com daum.net hanmail.net rediffmail.com orange.fr
    free.fr laposte.net wanadoo.fr libero.it seznam.cz wp.pl o2.pl uol.com.br comcast.net
    verizon.net att.net sbcglobal.net btinternet.com sky.com
  `
    .trim()
    .split(/\s+/),
);

/** Names under which the same mail service has a domain in many countries. */
const publicMailName =
  /^(yahoo|ymail|rocketmail|hotmail|outlook|live|msn|aol|gmx|yandex)\.[a-z.]+$/;

/**
 * The domains of a list with commas, in lower case and as in the DNS, without repetition. Throws
 * INVALID_INPUT for what is no domain, and for domains of public mail services.
 */
export function parseDomains(list: string): readonly string[] {
  const domains = [...new Set(list.split(',').map((entry) => parseDomain(entry)))];
  if (domains.length <= maxDomains) return domains;
  throw refused(`must name at most ${maxDomains} domains`);
}

function parseDomain(entry: string): string {
  const domain = asciiDomain(entry.trim());
  const labels = domain.split('.');
  const isDomain =
    labels.length > 1 &&
    domain.length <= maxDomainLength &&
    labels.every((label) => labelPattern.test(label)) &&
    /[a-z]/.test(labels.at(-1) ?? '');
  if (!isDomain) throw refused('must be a domain such as example.com, or several with commas');
  if (isStandInAddress(`a@${domain}`)) throw refused(`${domain} is reserved`);
  if (PUBLIC_MAIL.has(domain) || publicMailName.test(domain)) {
    throw refused(`${domain} is for everybody and cannot belong to one provider`);
  }
  return domain;
}

/** The domain of an address, as {@link parseDomains} writes domains; undefined for what is no address. */
export function domainOfAddress(address: string): string | undefined {
  const found = /^[^\s@,"<>]+@([^\s@,"<>]+)$/.exec(address);
  const domain = asciiDomain(found?.[1] ?? '');
  return domain === '' ? undefined : domain;
}

function refused(reason: string): Error {
  return fail('INVALID_INPUT', { field: 'domain', reason });
}
