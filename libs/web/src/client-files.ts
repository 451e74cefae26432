// The client, @rowhouse/client, as a deployment serves it: the archive that npm installs, the ES module that pages import,
// and the one that it loads for channels. All are public, so any page may read them.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { fail } from '#libs/errors';

import { acceptsCoding } from './encodings.js';

export type ClientFileName = 'client.tgz' | 'client.js' | 'client-channels.js';

/** One file in the encodings in which it is sent. */
interface ClientFile {
  readonly plain: Buffer;
  readonly plainTag: string;
  /** Absent if the file is already compressed. */
  readonly gzipped?: Buffer;
  readonly gzippedTag?: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ClientFiles {
  /** Version of the package. */
  readonly version: string;
  readonly files: Readonly<Record<ClientFileName, ClientFile>>;
}

/** Prepares the files of a build for sending. */
export function prepareClientFiles(
  version: string,
  built: Readonly<Record<ClientFileName, Buffer>>,
): ClientFiles {
  const common = {
    'x-rowhouse-client': version,
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'etag, x-rowhouse-client',
    'cross-origin-resource-policy': 'cross-origin',
    // The URL stays while the release changes, so clients revalidate their copy.
    'cache-control': 'no-cache',
  };
  const script = (content: Buffer): ClientFile => {
    const gzipped = gzipSync(content, { level: 9 });
    return {
      plain: content,
      plainTag: tagOf(content),
      gzipped,
      gzippedTag: tagOf(gzipped),
      headers: {
        ...common,
        'content-type': 'text/javascript; charset=utf-8',
        vary: 'accept-encoding',
      },
    };
  };
  return {
    version,
    files: {
      'client.tgz': {
        plain: built['client.tgz'],
        plainTag: tagOf(built['client.tgz']),
        headers: {
          ...common,
          'content-type': 'application/gzip',
          'content-disposition': `attachment; filename="rowhouse-client-${version}.tgz"`,
        },
      },
      'client.js': script(built['client.js']),
      'client-channels.js': script(built['client-channels.js']),
    },
  };
}

/**
 * Answers with one of the files, or with 304 if the client's copy is current (RFC 9110 §13.1.2). Throws NOT_FOUND if
 * the process was started without a build of the client.
 */
export function sendClientFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { client, name }: { readonly client: ClientFiles | undefined; readonly name: ClientFileName },
): void {
  const file = client?.files[name];
  if (!file) throw fail('NOT_FOUND', { path: `/${name}` });
  const { plain, plainTag, gzipped, gzippedTag, headers } = file;
  const isGzipped =
    gzipped !== undefined && acceptsCoding(request.headers['accept-encoding'], 'gzip');
  const tag = isGzipped && gzippedTag !== undefined ? gzippedTag : plainTag;
  reply.headers({ ...headers, etag: tag });
  if (namesTag(request.headers['if-none-match'], tag)) {
    reply.code(304).send();
    return;
  }
  if (isGzipped) reply.header('content-encoding', 'gzip');
  reply.send(isGzipped ? gzipped : plain);
}

function tagOf(content: Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}

/** Weak and strong tags compare as equal, as the RFC requires for this header. */
function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(tag);
}
