// What DNS says of the host names of a project, beside what it should say. Only names of the project itself are looked
// up: its own host name, and the domains that it has claimed.
import { fail } from '#libs/errors';
import { isPublicAddress } from '#libs/outbound';
import { ProjectDomain } from '../entities/project-domain.entity.js';
import { challengeName, shownTexts } from './domains.js';
import type { HostAnswer, ReadHost } from './host-addresses.js';
import type { ProjectsContext } from './projects-context.js';
import type { ReadTxt } from './txt-records.js';

/** The most addresses in an answer. */
const maxFound = 20;
/** Where names at and below `localhost` lead, without a name server (RFC 6761 section 6.3). */
const loopback: HostAnswer = { alias: null, addresses: ['127.0.0.1', '::1'] };

/** The TXT record that verifies a claim. */
export interface TxtCheck {
  readonly name: string;
  readonly expected: string;
  /** Records that look like the token of a claim. Others are not shown: the name may lead into a private zone. */
  readonly found: readonly string[];
  /** `right`: the record is there. `other`: only other records are. */
  readonly state: 'right' | 'other' | 'missing' | 'no-answer';
}

/** Where a host name should lead, and where it does. */
export interface AddressCheck {
  readonly name: string;
  /** The host name of the project, which a CNAME record may name, and the addresses that it has. */
  readonly expected: { readonly alias: string | null; readonly addresses: readonly string[] };
  /** Private addresses, and an alias that leads to them, are not shown: `hiddenAddresses` counts them. */
  readonly found: {
    readonly alias: string | null;
    readonly addresses: readonly string[];
    readonly hiddenAddresses: number;
  };
  /**
   * `right`: it leads where the host name of the project leads. `other`: it leads elsewhere, which is right only if a
   * proxy there passes requests on. `unknown`: it cannot be compared, because the host name of the project has no
   * address. `local`: it leads to the machine itself, and no name server is queried.
   */
  readonly state: 'right' | 'other' | 'missing' | 'no-answer' | 'unknown' | 'local';
}

export interface DnsReport {
  readonly domain: string;
  /** Null for the host name of the project, which needs no claim. */
  readonly claim: TxtCheck | null;
  readonly address: AddressCheck;
  readonly checkedAt: Date;
}

interface DnsQuestion {
  readonly ref: string;
  readonly domain: string;
  /** The host name below the root domain. */
  readonly ownHost: string;
  readonly readHost: ReadHost;
  readonly readTxt: ReadTxt;
}

/**
 * Looks up now what DNS says of a host name of the project. Throws DOMAIN_NOT_FOUND for a name that the project has not
 * claimed.
 */
export async function checkDns(
  { dataSource }: Pick<ProjectsContext, 'dataSource'>,
  { ref, domain, ownHost, readHost, readTxt }: DnsQuestion,
): Promise<DnsReport> {
  const read = (name: string) => (isLocal(name) ? Promise.resolve(loopback) : readHost(name));
  if (domain === ownHost) {
    const found = await read(ownHost);
    const address = ownAddress(ownHost, found);
    return { domain, claim: null, address, checkedAt: new Date() };
  }
  const claim = await dataSource.manager.findOneBy(ProjectDomain, { ref, domain });
  if (claim === null) throw fail('DOMAIN_NOT_FOUND');
  const [own, found, texts] = await Promise.all([
    read(ownHost),
    read(domain),
    readTxt(challengeName(domain)),
  ]);
  return {
    domain,
    claim: txtCheck(claim, texts),
    address: compare({ name: domain, ownHost, own, found }),
    checkedAt: new Date(),
  };
}

const isLocal = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost');

function ownAddress(name: string, found: HostAnswer): AddressCheck {
  const addresses = found.addresses.slice(0, maxFound);
  return {
    name,
    expected: { alias: null, addresses: [] },
    found: { alias: found.alias, addresses, hiddenAddresses: 0 },
    state: isLocal(name) ? 'local' : (emptyState(found) ?? 'right'),
  };
}

function txtCheck(
  { domain, token }: ProjectDomain,
  { texts, failure }: Awaited<ReturnType<ReadTxt>>,
): TxtCheck {
  const facts = { name: challengeName(domain), expected: token, found: shownTexts(texts) };
  if (failure !== undefined) return { ...facts, state: 'no-answer' };
  if (texts.includes(token)) return { ...facts, state: 'right' };
  return { ...facts, state: texts.length === 0 ? 'missing' : 'other' };
}

interface Comparison {
  readonly name: string;
  readonly ownHost: string;
  readonly own: HostAnswer;
  readonly found: HostAnswer;
}

function compare({ name, ownHost, own, found }: Comparison): AddressCheck {
  const expected = { alias: ownHost, addresses: own.addresses.slice(0, maxFound) };
  // A name may lead anywhere, also with a proof: no answer reveals the private network of the server.
  const isShown = (address: string): boolean =>
    isPublicAddress(address) || own.addresses.includes(address);
  const shown = found.addresses.filter(isShown);
  const hiddenAddresses = found.addresses.length - shown.length;
  return {
    name,
    expected,
    found: {
      alias: hiddenAddresses > 0 && found.alias !== ownHost ? null : found.alias,
      addresses: shown.slice(0, maxFound),
      hiddenAddresses,
    },
    state: emptyState(found) ?? comparedState(ownHost, own, found),
  };
}

function emptyState({ addresses, failure }: HostAnswer): 'missing' | 'no-answer' | undefined {
  if (failure !== undefined) return 'no-answer';
  return addresses.length === 0 ? 'missing' : undefined;
}

function comparedState(ownHost: string, own: HostAnswer, found: HostAnswer) {
  if (found.alias === ownHost) return 'right';
  if (own.addresses.length === 0) return 'unknown';
  return found.addresses.every((address) => own.addresses.includes(address)) ? 'right' : 'other';
}
