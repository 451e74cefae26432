// Reads one environment variable at a time into a typed value. Each refusal is one line that names the
// variable and what is allowed. Values of secrets are never repeated.
import { isIP } from 'node:net';
import { StartError } from './start-error.js';

/** A name, an IPv4 address or an IPv6 one in brackets, and a port. */
const hostPattern = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

type Source = Readonly<Record<string, string | undefined>>;

export class EnvReader {
  constructor(private readonly source: Source) {}

  /** The value unchanged; an empty one counts as absent. */
  text(name: string): string | undefined {
    const value = this.source[name]?.trim();
    return value === '' ? undefined : value;
  }

  /** The value when `pattern` fits. `allowed` completes "NAME must be …". */
  matching(name: string, pattern: RegExp, allowed: string): string | undefined {
    const value = this.text(name);
    if (value !== undefined && !pattern.test(value)) throw refused(name, allowed, value);
    return value;
  }

  /** The value as it is set, with the blanks and line breaks around it. */
  given(name: string): string | undefined {
    return this.source[name];
  }

  /**
   * A secret, whose `measured` form has the length; surrounding spaces belong to it, line breaks at its end do not: files
   * of secrets often end with one.
   */
  secret(
    name: string,
    length: { readonly min: number; readonly max: number },
    measured = (text: string) => text,
  ): string | undefined {
    const value = this.source[name]?.replace(/[\r\n]+$/, '');
    if (value === undefined || value === '') return undefined;
    const count = measured(value).length;
    if (count < length.min || count > length.max) {
      throw refused(name, `${length.min} to ${length.max} characters long`);
    }
    return value;
  }

  integer(name: string, range: { readonly min: number; readonly max: number }): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= range.min && number <= range.max) return number;
    throw refused(name, `a whole number from ${range.min} to ${range.max}`, value);
  }

  flag(name: string): boolean | undefined {
    const value = this.choice(name, ['true', 'false', '1', '0']);
    return value === undefined ? undefined : value === 'true' || value === '1';
  }

  choice<const T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const found = allowed.find((word) => word === value);
    if (found === undefined) throw refused(name, `one of ${allowed.join(', ')}`, value);
    return found;
  }

  choices<const T extends string>(name: string, allowed: readonly T[]): readonly T[] | undefined {
    return this.list(name)?.map((word) => {
      const found = allowed.find((known) => known === word);
      if (found === undefined) throw refused(name, `a list out of ${allowed.join(', ')}`, word);
      return found;
    });
  }

  /** Addresses and networks in CIDR notation, separated by commas. */
  networks(name: string): readonly string[] | undefined {
    const networks = this.list(name);
    const wrong = networks?.find((network) => !isNetwork(network));
    if (wrong === undefined) return networks;
    throw refused(name, 'a list of addresses and networks such as 10.0.0.0/8', wrong);
  }

  /** Hosts, each with an optional port, separated by commas. */
  hosts(name: string): readonly string[] | undefined {
    const hosts = this.list(name);
    const wrong = hosts?.find((host) => !hostPattern.test(host));
    if (wrong === undefined) return hosts?.map((host) => host.toLowerCase());
    throw refused(name, 'a list of hosts such as idp.internal:8443', wrong);
  }

  /** A URL with one of these protocols. Never repeated in the refusal: it may hold a password. */
  url(name: string, protocols: readonly string[], example: string): URL | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url !== undefined && protocols.includes(url.protocol)) return url;
    throw refused(name, `a URL such as ${example}`);
  }

  /** An http or https URL of nothing but scheme, host and port. */
  origin(name: string): URL | undefined {
    const url = this.url(name, ['http:', 'https:'], 'https://example.com');
    if (url === undefined || url.href === `${url.origin}/`) return url;
    throw refused(name, 'an origin (scheme, host and port, nothing behind them)');
  }

  private list(name: string): readonly string[] | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    return value.split(',').map((word) => word.trim());
  }
}

/** The refusal "NAME must be …, not …". */
export function refused(name: string, allowed: string, value?: string): StartError {
  const shown = value === undefined ? '' : `, not ${JSON.stringify(value)}`;
  return new StartError(`${name} must be ${allowed}${shown}`);
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  const maxBits = version === 4 ? 32 : 128;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= maxBits);
}
