// The addresses that every entry accepts or refuses alike.

/** Addresses and what is stored of them. */
export const acceptedAddresses = [
  { name: 'capitals', sent: 'Mib@Example.ORG', stored: 'mib@example.org' },
  {
    name: 'a domain beyond ASCII',
    sent: 'mib@BÜCHER.example',
    stored: 'mib@xn--bcher-kva.example',
  },
  {
    name: 'a domain beyond ASCII in its ASCII form',
    sent: 'mib@XN--bcher-kva.example',
    stored: 'mib@xn--bcher-kva.example',
  },
  { name: 'letters of full width', sent: 'mib@ｅxample。org', stored: 'mib@example.org' },
  { name: 'signs', sent: "o'neill_a+b-c.d@a-b.example", stored: "o'neill_a+b-c.d@a-b.example" },
] as const;

/** Addresses that no entry takes. */
export const refusedAddresses = [
  { name: 'letters beyond ASCII before the @', sent: 'jürgen@example.org' },
  { name: 'a letter whose lower case is an ASCII one', sent: '\u{212A}im@example.org' },
  { name: 'a quoted part', sent: '"a b"@example.org' },
  { name: 'a mark of direction at the end', sent: 'mib@example.org\u{202E}' },
  { name: 'a mark of direction before the @', sent: 'm\u{200F}ib@example.org' },
  { name: 'an invisible letter in the domain', sent: 'mib@exam\u{200B}ple.org' },
  { name: 'a soft hyphen', sent: 'mib@exam\u{AD}ple.org' },
  { name: 'a variation selector', sent: 'mib@exam\u{FE0F}ple.org' },
  { name: 'a filler', sent: 'mib\u{3164}@example.org' },
  { name: 'a blank at the end', sent: 'mib@example.org ' },
  { name: 'a blank without a break', sent: 'mib@example.org\u{A0}' },
  { name: 'a line break', sent: 'mib@example.org\nbcc: eve@example.org' },
  { name: 'a list', sent: 'mib@example.org,eve@example.org' },
  { name: 'a name before the address', sent: 'Mib <mib@example.org>' },
  { name: 'two @', sent: 'mib@eve.example@example.org' },
  { name: 'a host without a dot', sent: 'mib@localhost' },
  { name: 'a final dot', sent: 'mib@example.org.' },
  { name: 'two dots', sent: 'mib..a@example.org' },
  { name: 'an address literal', sent: 'mib@[192.0.2.1]' },
  { name: 'a network address', sent: 'mib@192.0.2.1' },
  { name: 'a domain that is no ASCII form', sent: 'mib@xn--a.example' },
  { name: 'a hyphen at the end of a label', sent: 'mib@example-.org' },
  { name: 'an escaped letter', sent: 'mib@ex%61mple.org' },
  { name: 'a port', sent: 'mib@example.org:25' },
  { name: 'no address', sent: 'mib' },
] as const;
