// Reads bodies as the matched route declares. Reads nothing for a route that reads its body itself.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUtf8 } from 'node:buffer';

import { fail } from '#libs/errors';
import { jsonProblem } from '#libs/wire';

import { BodyBudget, type HeldBody } from './body-budget.js';
import type { BodyRule, PlainBody } from './body-rule.js';
import { readBytes } from './read-bytes.js';

export interface BodyReader {
  /** The rule of the route that a request matches. */
  readonly ruleOf: (request: FastifyRequest) => BodyRule;
  /** For routes of the kind `text`; omit it in an application without such routes. */
  readonly rows?: {
    readonly maxBytesOf: (request: FastifyRequest) => number;
    readonly read: (bytes: Buffer, contentType: string) => Promise<Buffer>;
  };
  /** The time in which a body must arrive, in milliseconds. */
  readonly arrivalMs?: number | undefined;
  /**
   * Begins to count a long body until its request ends. Absent, or undefined for a request: it is counted with the
   * others of the application until it was read.
   */
  readonly hold?: (request: FastifyRequest) => HeldBody | undefined;
}

/** For bodies that `hold` does not count. */
const ownMaxBytes = 32 * 1024 * 1024;

const isJson = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

export function readBodies(server: FastifyInstance, reader: BodyReader): void {
  const { ruleOf, rows, arrivalMs } = reader;
  const patience = arrivalMs === undefined ? {} : { arrivalMs };
  const own = new BodyBudget(ownMaxBytes);
  const read = async <Value>(
    request: FastifyRequest,
    maxBytes: number,
    parse: (bytes: Buffer) => Value | Promise<Value>,
  ): Promise<Value> => {
    let ownHeld: HeldBody | undefined;
    const hold = (): HeldBody => reader.hold?.(request) ?? (ownHeld = own.hold());
    try {
      return await parse(await readBytes(request.raw, { maxBytes, hold, ...patience }));
    } finally {
      ownHeld?.release();
    }
  };
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (request: FastifyRequest, _payload, done) => {
    const rule = ruleOf(request);
    const type = request.headers['content-type'] ?? '';
    if (rule.kind === 'json') {
      const { maxBytes, plain, archive } = rule;
      read(request, maxBytes, (bytes) => {
        if (isOfType(type, plain)) return textBody(bytes, plain);
        if (isOfType(type, archive)) return archive.read(bytes, request.query);
        return jsonBody(bytes, type);
      }).then((value) => done(null, value), done);
    } else if (rule.kind === 'text' && rows) {
      read(request, rows.maxBytesOf(request), (bytes) => rows.read(bytes, type)).then(
        (body) => done(null, body),
        done,
      );
    } else {
      done(null);
    }
  });
}

function isOfType<Body extends { readonly type: string }>(
  contentType: string,
  body: Body | undefined,
): body is Body {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() === body?.type;
}

/** Text in another encoding would be misread, so it is refused. */
function textBody(bytes: Buffer, { field }: PlainBody): unknown {
  if (!isUtf8(bytes)) throw fail('INVALID_INPUT', { field, reason: 'the text is not UTF-8' });
  return { [field]: bytes.toString('utf8') };
}

function jsonBody(bytes: Buffer, type: string): unknown {
  if (bytes.length === 0) return undefined;
  if (!isJson.test(type))
    throw fail('UNSUPPORTED_MEDIA_TYPE', { type: type === '' ? 'none' : type });
  return parseJson(bytes.toString('utf8'));
}

/**
 * Returns the value of a JSON text. Throws INVALID_JSON, and JSON_TOO_COMPLEX before it builds a value with too many
 * parts. Also refuses the key `__proto__`, which changes the prototype in code that copies objects.
 */
export function parseJson(text: string): unknown {
  const reason = jsonProblem(text);
  if (reason !== undefined) throw fail('JSON_TOO_COMPLEX', { reason });
  let hasPrototype = false;
  let value: unknown;
  try {
    value =
      text.includes('__proto__') || text.includes('\\u')
        ? JSON.parse(text, (key, part: unknown) => {
            hasPrototype ||= key === '__proto__';
            return part;
          })
        : JSON.parse(text);
  } catch (error) {
    throw fail('INVALID_JSON', {}, { cause: error });
  }
  if (hasPrototype) throw fail('INVALID_JSON');
  return value;
}
