// The edge functions of a project in this process: which one answers at a path, its code, its secrets, its journal.
// Each invocation gets the active version that the database has after its arrival, so that a deploy in another process
// holds for the next call here.
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { EngineQueries } from '#libs/database';
import { fail } from '#libs/errors';
import type {
  FunctionReply,
  FunctionRequest,
  FunctionsHost,
  FunctionVersion,
  Prepared,
  ProjectFunctions,
} from '#libs/functions';
import type { Settings } from '#libs/settings';

import { FunctionJournal } from './function-journal.js';
import { FunctionLookup } from './function-lookup.js';
import { callerKey, functionSecretsSeal, type FunctionSecretsSeal } from './function-secrets.js';
import {
  acceptToken,
  findFunctionBySlug,
  findVersion,
  type FoundFunction,
  listSealedSecrets,
} from './functions.sql.js';
import { VersionCache } from './version-cache.js';

export interface EdgeFunctionsParts {
  readonly ref: string;
  readonly dataKey: Buffer;
  readonly db: EngineQueries;
  readonly host: FunctionsHost;
  readonly url: () => URL;
  readonly serveLocally: (request: IncomingMessage, response: ServerResponse) => void;
  readonly settings: () => Settings;
  readonly onError: (error: unknown, doing: string) => void;
}

export class ProjectEdgeFunctions {
  readonly journal: FunctionJournal;
  readonly seal: FunctionSecretsSeal;
  /** The text that functions verify the token of their caller with. */
  readonly callerKey: string;
  readonly #parts: EdgeFunctionsParts;
  readonly #lookup: FunctionLookup;
  readonly #versions = new VersionCache();
  /** The active versions as this process has seen them last, by slug. */
  readonly #seen = new Map<string, number>();
  readonly #reportedSecrets = new Set<string>();
  #secretsVersion: string | undefined;
  #opened: ProjectFunctions | undefined;

  constructor(parts: EdgeFunctionsParts) {
    const { db, ref, dataKey, onError } = parts;
    this.#parts = parts;
    this.journal = new FunctionJournal({ db, onError });
    this.#lookup = new FunctionLookup(db);
    this.seal = functionSecretsSeal(ref, dataKey);
    this.callerKey = callerKey(dataKey);
  }

  /**
   * The function with the longest of these routes. Processes of other versions of it, and those with earlier secrets, end
   * when their requests are answered.
   */
  async find(routes: readonly string[]): Promise<FoundFunction | undefined> {
    if (routes.length === 0) return undefined;
    return this.#useCurrent(await this.#lookup.find(routes));
  }

  /** The same for the function with this slug. */
  async findBySlug(slug: string): Promise<FoundFunction | undefined> {
    return this.#useCurrent(await findFunctionBySlug(this.#parts.db, slug));
  }

  /** Whether a token for functions may invoke one. */
  async acceptsToken(token: string, slug: string): Promise<boolean> {
    return (await acceptToken(this.#parts.db, tokenHash(token), slug)) !== undefined;
  }

  /** Throws the errors of {@link ProjectFunctions.invoke}, and EDGE_FUNCTION_NOT_FOUND if it was deleted meanwhile. */
  async invoke(
    { slug, version }: Pick<FoundFunction, 'slug' | 'version'>,
    request: FunctionRequest,
  ): Promise<FunctionReply> {
    return this.#functions.invoke(await this.#getVersion(slug, version), request);
  }

  /** Throws FUNCTION_REFUSED, also for what cannot start, and FUNCTIONS_UNAVAILABLE. */
  async prepare(version: FunctionVersion): Promise<Prepared> {
    const { unavailable } = this.#parts.host;
    if (unavailable !== undefined) throw fail('FUNCTIONS_UNAVAILABLE', { reason: unavailable });
    const prepared = await this.#functions.prepare(version);
    await this.#functions.tryStart({ ...version, ...prepared });
    return prepared;
  }

  /** A version has become the active one here; undefined: the function was deleted. */
  keepOnly(slug: string, version: number | undefined): void {
    if (version === undefined) this.#seen.delete(slug);
    else this.#seen.set(slug, version);
    this.#opened?.keepOnly(slug, version);
  }

  async close(): Promise<void> {
    await this.#opened?.close();
    await this.journal.flush();
  }

  #useCurrent(found: FoundFunction | undefined): FoundFunction | undefined {
    if (!found) return undefined;
    const { slug, version, secretsVersion } = found;
    if (this.#secretsVersion !== undefined && this.#secretsVersion !== secretsVersion) {
      this.#opened?.restart();
    }
    this.#secretsVersion = secretsVersion;
    if (this.#seen.get(slug) !== version) this.keepOnly(slug, version);
    return found;
  }

  async #getVersion(slug: string, version: number): Promise<FunctionVersion> {
    const kept = this.#versions.find(slug, version);
    if (kept) return kept;
    const found = await findVersion(this.#parts.db, slug, version);
    if (!found) throw fail('EDGE_FUNCTION_NOT_FOUND', { slug });
    this.#versions.keep(found);
    return found;
  }

  get #functions(): ProjectFunctions {
    const { ref, host, url, serveLocally, settings, onError } = this.#parts;
    this.#opened ??= host.open({
      ref,
      url,
      serve: serveLocally,
      limits: () => settings().functions,
      secrets: () => this.#environment(),
      onLog: (line) => this.journal.log(line),
      onInvocation: (invocation) => this.journal.invoked(invocation),
      onError,
    });
    return this.#opened;
  }

  async #environment(): Promise<Readonly<Record<string, string>>> {
    const { ref, db, onError } = this.#parts;
    const sealed = await listSealedSecrets(db);
    const secrets = this.seal.openAll(sealed, (name) => {
      if (this.#reportedSecrets.has(name)) return;
      this.#reportedSecrets.add(name);
      const text = `The secret ${name} of the functions of ${ref} cannot be opened and is left out; set it again`;
      onError(new Error(text), `open the secrets of functions of ${ref}`);
    });
    return { ...secrets, ROWHOUSE_CALLER_KEY: this.callerKey };
  }
}

/** The hash with which a token for functions is stored. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
