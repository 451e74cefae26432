// Reads a page of examples: `sql` is run as the owner, `http` is a request or, after it, its answer, and
// `ts` after an answer is the same request by the client.
import { type Fence, readFences } from '../support/markdown.js';

interface Message {
  readonly start: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined when there is none. */
  readonly body: string | undefined;
}

export interface Exchange {
  readonly kind: 'exchange';
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly answer: {
    readonly status: number;
    /** Those that the page shows. */
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | undefined;
  };
  /** An expression that a client, `client`, evaluates. */
  readonly counterpart: string | undefined;
}

export interface Statements {
  readonly kind: 'sql';
  readonly text: string;
}

/** A part of the page that a test runs; `name` says where it is. */
export type Example = (Exchange | Statements) & { readonly name: string };

/** The examples of a page in their order. Throws for a block that is no part of one. */
export function readExamples(markdown: string): readonly Example[] {
  const examples: Example[] = [];
  let request: Message | undefined;
  for (const fence of readFences(markdown)) {
    const name = `${fence.heading}, line ${fence.line}`;
    if (request) {
      examples.push({ name, ...exchangeOf(request, readAnswer(fence)) });
      request = undefined;
    } else if (fence.language === 'http') request = readMessage(fence);
    else if (fence.language === 'sql') examples.push({ name, kind: 'sql', text: fence.text });
    else examples.push(withCounterpart(examples.pop(), fence));
  }
  if (request) throw new Error(`no answer follows ${request.start}`);
  return examples;
}

function exchangeOf(request: Message, answer: Message): Exchange {
  const [method = '', path = '', ...more] = request.start.split(' ');
  if (more.length > 0) throw new Error(`an address has no blank: ${request.start}`);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer.start)?.[1]);
  const { headers, body } = answer;
  const { headers: sent, body: sentBody } = request;
  return {
    kind: 'exchange',
    method,
    path,
    headers: sent,
    body: sentBody,
    answer: { status, headers, body },
    counterpart: undefined,
  };
}

function readAnswer(fence: Fence): Message {
  if (fence.language === 'http' && fence.text.startsWith('HTTP/1.1 ')) return readMessage(fence);
  throw new Error(`line ${fence.line} should be an answer`);
}

/** A message as RFC 9112 writes it: start line, headers, an empty line, the body. */
function readMessage({ text }: Fence): Message {
  const [head = '', ...rest] = text.split('\n\n');
  const [start = '', ...lines] = head.split('\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return {
    start,
    headers: Object.fromEntries(headers),
    body: rest.length === 0 ? undefined : rest.join('\n\n'),
  };
}

function withCounterpart(example: Example | undefined, fence: Fence): Example {
  if (fence.language !== 'ts') throw new Error(`line ${fence.line}: ${fence.language} is not run`);
  if (example?.kind !== 'exchange' || example.counterpart !== undefined) {
    throw new Error(`line ${fence.line} follows no answer`);
  }
  const expression = /^await ([^]*);$/.exec(fence.text)?.[1];
  if (expression === undefined) throw new Error(`line ${fence.line} should be one awaited request`);
  return { ...example, counterpart: expression };
}
