// Session tokens at rest: the database keeps the SHA-256 of each session's token, and the token itself is
// stored nowhere. The auth engine works with tokens, so its database adapter is wrapped: tokens are hashed on
// their way into a statement, and a row that comes back carries its token only if the call named that token.
import type { BetterAuthPlugin } from 'better-auth';
import type { DBAdapter, DBTransactionAdapter, Where } from '@better-auth/core/db/adapter';
import { createHash } from 'node:crypto';
import { fieldIn } from './fields.js';

/**
 * What is stored of a session token: its SHA-256, written as a literal of the type bytea. A token has about
 * 190 random bits, so the hash needs no salt.
 */
export function sessionTokenHash(token: string): string {
  return `\\x${createHash('sha256').update(token).digest('hex')}`;
}

/**
 * The plugin of the auth engine that stores only the hashes of session tokens. The option
 * `session.fields.token` must name a column of the type bytea. Sessions that are found by anything but their
 * token have none, so code that deletes one of those does it by its id.
 */
export function sessionTokenHashes(): BetterAuthPlugin {
  return {
    id: 'session-token-hashes',
    init: ({ adapter }) => ({ context: { adapter: hashingAdapter(adapter) } }),
  };
}

function hashingAdapter(adapter: DBAdapter): DBAdapter {
  return {
    ...adapter,
    ...hashingOperations(adapter),
    transaction: (work) =>
      adapter.transaction((inner) => work({ ...inner, ...hashingOperations(inner) })),
  };
}

type Operations = Omit<DBTransactionAdapter, 'id' | 'createSchema' | 'options'>;

function hashingOperations(adapter: Operations): Operations {
  return {
    create: async (call) => {
      const tokens = new TokensOfCall(call.model);
      return tokens.shown(await adapter.create({ ...call, data: tokens.stored(call.data) }));
    },
    findOne: async (call) => {
      const tokens = new TokensOfCall(call.model);
      return tokens.shown(await adapter.findOne({ ...call, where: tokens.sought(call.where) }));
    },
    findMany: async <T>(call: Parameters<Operations['findMany']>[0]) => {
      const tokens = new TokensOfCall(call.model);
      const where = tokens.sought(call.where ?? []);
      return (await adapter.findMany<T>({ ...call, where })).map((row) => tokens.shown(row));
    },
    count: (call) => {
      const tokens = new TokensOfCall(call.model);
      return adapter.count({ ...call, where: tokens.sought(call.where ?? []) });
    },
    update: async (call) => {
      const tokens = new TokensOfCall(call.model);
      const [where, update] = [tokens.sought(call.where), tokens.stored(call.update)];
      return tokens.shown(await adapter.update({ ...call, where, update }));
    },
    updateMany: (call) => {
      const tokens = new TokensOfCall(call.model);
      const [where, update] = [tokens.sought(call.where), tokens.stored(call.update)];
      return adapter.updateMany({ ...call, where, update });
    },
    delete: (call) => {
      const tokens = new TokensOfCall(call.model);
      return adapter.delete({ ...call, where: tokens.sought(call.where) });
    },
    deleteMany: (call) => {
      const tokens = new TokensOfCall(call.model);
      return adapter.deleteMany({ ...call, where: tokens.sought(call.where) });
    },
    consumeOne: async (call) => {
      const tokens = new TokensOfCall(call.model);
      return tokens.shown(await adapter.consumeOne({ ...call, where: tokens.sought(call.where) }));
    },
    incrementOne: async (call) => {
      const tokens = new TokensOfCall(call.model);
      return tokens.shown(
        await adapter.incrementOne({ ...call, where: tokens.sought(call.where) }),
      );
    },
  };
}

/** The tokens that one call of the adapter names. */
class TokensOfCall {
  readonly #isAboutSessions: boolean;
  readonly #tokenByHash = new Map<string, string>();

  constructor(model: string) {
    this.#isAboutSessions = model === 'session';
  }

  /** Fields to write, with the hash in the place of the token. */
  stored<T extends object>(fields: T): T {
    if (!this.#isAboutSessions || !('token' in fields)) return fields;
    return { ...fields, token: this.#hash(fields.token) };
  }

  /** Conditions with hashes in the place of tokens. Throws for a comparison that hashes do not allow. */
  sought(where: Where[]): Where[] {
    if (!this.#isAboutSessions) return where;
    return where.map((condition) => {
      const { field, value, operator = 'eq' } = condition;
      if (field !== 'token') return condition;
      if (!COMPARABLE.has(operator)) throw new Error(`tokens cannot be compared by ${operator}`);
      const hashes = Array.isArray(value)
        ? value.map((token: unknown) => this.#hash(token))
        : this.#hash(value);
      return { ...condition, value: hashes };
    });
  }

  /** A row with its token if the call named it, and without a token otherwise. */
  shown<T>(row: T): T {
    if (!this.#isAboutSessions || typeof row !== 'object' || row === null) return row;
    const stored = fieldIn(row, 'token');
    if (stored === undefined) return row;
    if (!Buffer.isBuffer(stored)) throw new Error('session tokens are stored in a column of bytea');
    const token = this.#tokenByHash.get(`\\x${stored.toString('hex')}`);
    const shown = { ...row };
    if (token === undefined) Reflect.deleteProperty(shown, 'token');
    else Reflect.set(shown, 'token', token);
    return shown;
  }

  #hash(token: unknown): string {
    if (typeof token !== 'string')
      throw new Error('a session without its token is found by its id');
    const hash = sessionTokenHash(token);
    this.#tokenByHash.set(hash, token);
    return hash;
  }
}

/** Comparisons that are the same between hashes as between tokens. */
const COMPARABLE: ReadonlySet<string> = new Set(['eq', 'ne', 'in', 'not_in']);
