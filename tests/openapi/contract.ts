// The description of an application as a contract: requests are made of its examples, and answers are compared
// with what it promises.
import { asRecord } from '../support/deployment.js';
import type { Call, Reply } from '../support/http.js';

import { checkerOf } from './schema-validator.js';

export type Fields = Readonly<Record<string, unknown>>;

export interface Example {
  /** Headers that show who calls; none for a visitor. */
  readonly as?: Readonly<Record<string, string>>;
  /** Headers beside the credential. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of the parameters of the path. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Fields of the example that only a running project knows: ids, tokens, codes. The example must have them. */
  readonly live?: Fields;
  /** The status that the example gets, where it is not a success. */
  readonly status?: number;
  /** The media type of the body, where the operation takes several. */
  readonly type?: string;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly described: Fields;
}

/** The objects in the list `name` of an answer. Throws when it has no such list. */
export function listAt(reply: Reply, name: string): readonly Fields[] {
  const list = asRecord(reply.body)[name];
  if (!Array.isArray(list)) throw new Error(`no list ${name} in ${reply.text}`);
  return list.map(asRecord);
}

/** The texts in the list `name` of an answer. Throws when it has no such list. */
export function textsAt(reply: Reply, name: string): readonly string[] {
  const list = asRecord(reply.body)[name];
  if (!Array.isArray(list)) throw new Error(`no list ${name} in ${reply.text}`);
  return list.map(String);
}

type Send = (call: Call) => Promise<Reply>;

export class Contract {
  readonly #operations = new Map<string, Operation>();
  /** The last example of each operation that was tried. */
  readonly #tried = new Map<string, Example>();

  constructor(
    private readonly document: Fields,
    private readonly send: Send,
  ) {
    for (const [path, item] of Object.entries(asRecord(document['paths']))) {
      for (const [verb, described] of Object.entries(asRecord(item))) {
        const method = verb.toUpperCase();
        const operation = { method, path, described: asRecord(described) };
        this.#operations.set(`${method} ${path}`, operation);
      }
    }
  }

  /** The operations, as `GET /path`, that no call has tried. */
  untried(isMine: (where: string) => boolean): readonly string[] {
    return [...this.#operations.keys()].filter((where) => isMine(where) && !this.#tried.has(where));
  }

  /** Sends the example of an operation. Throws when the answer is not what the description promises. */
  async try(where: string, example: Example = {}): Promise<Reply> {
    const operation = this.#operation(where);
    this.#tried.set(where, example);
    const reply = await this.send(callOf(operation, example));
    const problems = [
      ...credentialProblems(operation, example),
      ...this.#answerProblems(operation, reply, example.status),
    ];
    if (problems.length === 0) return reply;
    throw new Error(
      `${where}: ${problems.join('; ')}\n${reply.status} ${reply.text.slice(0, 900)}`,
    );
  }

  /** The examples of bodies that break the schema of their body. */
  exampleProblems(): readonly string[] {
    return [...this.#operations].flatMap(([where, { described }]) =>
      Object.entries(contentOf(described)).flatMap(([type, content]) => {
        const { schema, example } = asRecord(content);
        if (example === undefined) return [`${where} ${type}: no example`];
        return this.#check(asRecord(schema), example).map((problem) => `${where}: ${problem}`);
      }),
    );
  }

  /** What is wrong with the refusals of operations that were tried with a credential and need one. */
  async refusalProblems(): Promise<readonly string[]> {
    const closed = [...this.#tried].filter(([where]) => !isOpen(this.#operation(where)));
    const problems: string[] = [];
    // One after the other: they share the limits of one address.
    for (const [where, example] of closed) {
      const operation = this.#operation(where);
      const reply = await this.send(callOf(operation, { ...example, as: {} }));
      problems.push(
        ...this.#answerProblems(operation, reply, 401).map((problem) => `${where}: ${problem}`),
      );
    }
    return problems;
  }

  #operation(where: string): Operation {
    const operation = this.#operations.get(where);
    if (operation === undefined) throw new Error(`${where} is not described`);
    return operation;
  }

  #answerProblems(
    { method, described }: Operation,
    reply: Reply,
    wanted?: number,
  ): readonly string[] {
    const isWanted = wanted === undefined ? reply.status < 400 : reply.status === wanted;
    const problems = isWanted ? [] : [`${reply.status} instead of ${wanted ?? 'a success'}`];
    const response = this.#resolved(asRecord(described['responses'])[String(reply.status)]);
    if (response === undefined) return [...problems, `the status ${reply.status} is not described`];
    if (method === 'HEAD') return problems;
    const content = asRecord(response['content'] ?? {});
    if (Object.keys(content).length === 0)
      return reply.text === '' ? problems : [...problems, 'the body is not described'];
    const sent = (reply.headers['content-type'] ?? '').split(';')[0] ?? '';
    const [, media] = Object.entries(content).find(([type]) => matches(type, sent)) ?? [];
    if (media === undefined) return [...problems, `the media type ${sent} is not described`];
    const { schema } = asRecord(media);
    const value = /json/.test(sent) ? reply.body : reply.text;
    return [...problems, ...this.#check(asRecord(schema), value)];
  }

  #check(schema: Fields, value: unknown): readonly string[] {
    return checkerOf(schema, this.document['components'])(value);
  }

  #resolved(response: unknown): Fields | undefined {
    if (response === undefined) return undefined;
    const { $ref: ref } = asRecord(response);
    if (typeof ref !== 'string') return asRecord(response);
    return ref
      .split('/')
      .slice(1)
      .reduce<Fields>((at, step) => asRecord(at[step]), this.document);
  }
}

/** The request that an example makes of an operation. Throws when a parameter of the path has no value. */
function callOf({ method, path, described }: Operation, example: Example): Call {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = example.path?.[name];
    if (value === undefined) throw new Error(`${method} ${path} needs a value of ${name}`);
    return value;
  });
  const query = new URLSearchParams(example.query).toString();
  const content = contentOf(described);
  const type = example.type ?? Object.keys(content)[0];
  const headers = { ...example.as, ...example.headers };
  const target = { method, path: query === '' ? filled : `${filled}?${query}` };
  if (type === undefined) return { ...target, headers };
  const value = withLive(asRecord(content[type])['example'], example.live);
  return { ...target, ...bodyOf(type, value, headers) };
}

/** The media types of the body of an operation, with what is said of each. */
function contentOf(described: Fields): Fields {
  return asRecord(asRecord(described['requestBody'] ?? {})['content'] ?? {});
}

const schemesOf = ({ described }: Operation): readonly (readonly string[])[] =>
  [described['security']].flat().map((each) => Object.keys(asRecord(each)));

/** Whether an operation takes callers without a credential. */
const isOpen = (operation: Operation): boolean =>
  schemesOf(operation).some((names) => names.length === 0);

/** What is wrong with the credential of an example by the security of its operation. */
function credentialProblems(operation: Operation, { as = {} }: Example): readonly string[] {
  const [name] = Object.keys(as);
  if (name === undefined) return isOpen(operation) ? [] : ['it needs a credential'];
  const scheme = name === 'authorization' ? 'bearer' : name;
  return schemesOf(operation).flat().includes(scheme) ? [] : [`it takes no ${scheme}`];
}

/** Whether a type of the description, `image/*` also, is that of an answer. */
function matches(described: string, sent: string): boolean {
  const [kind, name] = described.split('/');
  const [sentKind, sentName] = sent.split('/');
  return (kind === '*' || kind === sentKind) && (name === '*' || name === sentName);
}

function withLive(example: unknown, live: Fields | undefined): unknown {
  if (live === undefined) return example;
  const fields = asRecord(example);
  const unknown = Object.keys(live).filter((name) => !(name in fields));
  if (unknown.length > 0) throw new Error(`the example lacks ${unknown.join()}`);
  return { ...fields, ...live };
}

function bodyOf(
  type: string,
  example: unknown,
  headers: Readonly<Record<string, string>>,
): Pick<Call, 'headers' | 'body'> {
  if (type === 'application/json') return { headers, body: JSON.stringify(example) };
  if (type === 'multipart/form-data') return formOf(asRecord(example), headers);
  const text =
    type === 'application/x-www-form-urlencoded'
      ? new URLSearchParams(asRecord(example) as Record<string, string>).toString() // Texts alone.
      : String(example);
  return {
    headers: { 'content-type': type === '*/*' ? 'text/plain' : type, ...headers },
    body: text,
  };
}

function formOf(
  fields: Fields,
  headers: Readonly<Record<string, string>>,
): Pick<Call, 'headers' | 'body'> {
  const parts = Object.entries(fields).map(([name, value]) => {
    const file = name === 'file' ? '; filename="ada.txt"\r\ncontent-type: text/plain' : '';
    return `--part\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${String(value)}\r\n`;
  });
  return {
    headers: { 'content-type': 'multipart/form-data; boundary=part', ...headers },
    body: `${parts.join('')}--part--\r\n`,
  };
}
