// Which pages may do what, in words.
import type { OriginCheck, TrustedOrigin } from './queries.js';

export const sourceWords: Readonly<Record<TrustedOrigin['source'], string>> = {
  project: 'the address of the project',
  settings: 'the URL configuration',
  machine: 'pages of the machine itself, because the project is on localhost',
  domain: 'a domain of the project, in requests to that domain alone',
};

interface OriginVerdict {
  readonly kind: 'good' | 'warning' | 'plain';
  readonly title: string;
  readonly sentences: readonly string[];
}

/** Whether pages of an address may call the project, and whether with cookies. */
export function originVerdict({ origin, isExact, cookies, by }: OriginCheck): OriginVerdict {
  if (origin === null) {
    return {
      kind: 'warning',
      title: 'This is not the address of a web page',
      sentences: ['Write it with its scheme, such as https://app.example.com.'],
    };
  }
  const named = isExact ? [] : [`Browsers send ${origin} for pages of this address.`];
  if (cookies === 'never' || by === null) {
    return {
      kind: 'plain',
      title: 'Allowed without cookies',
      sentences: [
        ...named,
        `Pages of ${origin} may read answers to requests with a token or a key, as the client sends them. They may not use session cookies.`,
        'To allow cookies, add the address to the URL configuration.',
      ],
    };
  }
  if (cookies === 'own-domain') {
    return {
      kind: 'good',
      title: 'Allowed, with cookies in requests to its own domain',
      sentences: [
        ...named,
        `${origin} is a domain of the project: its pages use cookies in requests to that domain, and none to other host names of the project.`,
      ],
    };
  }
  return {
    kind: 'good',
    title: 'Allowed, also with cookies',
    sentences: [...named, `It fits ${by.origin}, from ${sourceWords[by.source]}.`],
  };
}
