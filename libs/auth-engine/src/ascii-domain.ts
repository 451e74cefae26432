import { domainToASCII } from 'node:url';

/** The way a domain is written in the DNS; empty for what is none. */
export function asciiDomain(domain: string): string {
  // The function reads a host out of more than hosts.
  return /[\s/\\?#@:%]/.test(domain) ? '' : domainToASCII(domain.toLowerCase());
}
