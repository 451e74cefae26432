// Functions of a project without a server around them: real processes of Deno, and calls as the API makes them.
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import {
  type FunctionInvocation,
  type FunctionLimits,
  type FunctionLogLine,
  type FunctionReply,
  type FunctionsHost,
  type FunctionVersion,
  openFunctionsHost,
  type ProjectFunctions,
} from '#libs/functions';
import { describeIf } from '#libs/testing';

const { unavailable } = openFunctionsHost({
  folder: '/',
  maxProcesses: 1,
  log: { info: () => undefined, warn: () => undefined },
  now: Date.now,
});

export const canRunFunctions = unavailable === undefined;

/** Tests that need Deno. */
export const describeWithDeno = describeIf(canRunFunctions, `no functions: ${unavailable}`);

export const ordinaryLimits: FunctionLimits = {
  memoryMb: 128,
  cpuSeconds: 2,
  timeoutSeconds: 30,
  concurrency: 16,
  queue: 64,
  maxRequestBytes: 1024 * 1024 * 1024,
  maxResponseBytes: 1024 * 1024 * 1024,
};

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface CallOptions {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Readable;
  readonly signal?: AbortSignal;
  readonly requestId?: string;
}

export interface ProjectOptions {
  readonly ref?: string;
  readonly url?: URL;
  readonly serve?: (request: IncomingMessage, response: ServerResponse) => void;
}

export interface FunctionsFixture {
  readonly folder: string;
  readonly host: FunctionsHost;
  open(options?: ProjectOptions): FixtureProject;
  close(): Promise<void>;
}

export async function openFixture(
  options: { readonly maxProcesses?: number; readonly npmRegistry?: URL } = {},
): Promise<FunctionsFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'functions-'));
  // As root, functions run as other users.
  await chmod(folder, 0o711);
  const host = openFunctionsHost({
    folder: join(folder, 'functions'),
    systemFolders: [join(folder, 'system')],
    maxProcesses: options.maxProcesses ?? 8,
    log: { info: () => undefined, warn: () => undefined },
    now: Date.now,
    ...(options.npmRegistry !== undefined && { npmRegistry: options.npmRegistry }),
  });
  return {
    folder,
    host,
    open: (project) => new FixtureProject(host, project ?? {}),
    async close() {
      await host.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A project with what it was told by its functions. */
export class FixtureProject {
  readonly ref: string;
  readonly url: URL;
  readonly logs: FunctionLogLine[] = [];
  readonly invocations: FunctionInvocation[] = [];
  readonly errors: unknown[] = [];
  readonly functions: ProjectFunctions;
  limits = ordinaryLimits;
  secrets: Readonly<Record<string, string>> = {};
  #count = 0;

  constructor(host: FunctionsHost, { ref, url, serve }: ProjectOptions) {
    this.ref = ref ?? `p${randomUUID().slice(0, 8)}`;
    this.url = url ?? new URL('http://p1.localhost:8000/');
    this.functions = host.open({
      ref: this.ref,
      url: () => this.url,
      serve: serve ?? ((_request, response) => void response.writeHead(404).end()),
      limits: () => this.limits,
      secrets: () => Promise.resolve(this.secrets),
      onLog: (line) => this.logs.push(line),
      onInvocation: (invocation) => this.invocations.push(invocation),
      onError: (error) => this.errors.push(error),
    });
  }

  /** Deploys a function of one or of several files, and returns its version as it would be stored. */
  async deploy(
    slug: string,
    code: string | Readonly<Record<string, string>>,
  ): Promise<FunctionVersion> {
    const files = typeof code === 'string' ? { 'index.ts': code } : code;
    this.#count += 1;
    const version = { slug, version: this.#count, entrypoint: 'index.ts', files, lock: null };
    const { lock } = await this.functions.prepare(version);
    return { ...version, lock };
  }

  /** The answer as it begins. */
  begin(version: FunctionVersion, options: CallOptions = {}): Promise<FunctionReply> {
    const { method, path = '/', body, headers = {}, signal, requestId } = options;
    return this.functions.invoke(version, {
      requestId: requestId ?? randomUUID(),
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      url: new URL(`/api/edge/${version.slug}${path}`, this.url),
      path,
      headers,
      body: typeof body === 'string' ? Readable.from([Buffer.from(body)]) : body,
      signal: signal ?? new AbortController().signal,
    });
  }

  async call(version: FunctionVersion, options: CallOptions = {}): Promise<Answer> {
    const reply = await this.begin(version, options);
    const headers = new Headers();
    for (let at = 0; at < reply.rawHeaders.length; at += 2) {
      headers.append(reply.rawHeaders[at] ?? '', reply.rawHeaders[at + 1] ?? '');
    }
    const { status, body } = reply;
    return { status, headers, text: Buffer.isBuffer(body) ? body.toString() : await text(body) };
  }
}

/** The body of an answer that has not come in one piece. */
export function streamOf({ body }: FunctionReply): Readable {
  if (Buffer.isBuffer(body)) throw new Error(`the answer came as a whole: ${body.toString()}`);
  return body;
}
