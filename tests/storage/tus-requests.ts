// Uploads in parts as clients send them: request by request, and with the client of the TUS project.
import { Upload } from 'tus-js-client';

import { timeUntil } from '#libs/testing';
import type { Reply } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';
import { openRequest, type OpenRequest, sendBytes } from './uploads-http.js';

export const resumable = '/api/files/resumable';
const protocol = { 'tus-resumable': '1.0.0' };
const patchType = { 'content-type': 'application/offset+octet-stream' };
const mebibyte = 1024 ** 2;

type Headers = Readonly<Record<string, string>>;

/** The value of the header Upload-Metadata. */
export function metadataOf(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

/** Requests of one client to one project. */
export class TusClient {
  constructor(
    private readonly project: ProjectUnderTest,
    private readonly credential: Headers,
  ) {}

  /** The same requests with other credentials, or to another project or process. */
  with(credential: Headers, project = this.project): TusClient {
    return new TusClient(project, credential);
  }

  through(project: ProjectUnderTest): TusClient {
    return new TusClient(project, this.credential);
  }

  create(
    length: number,
    fields: Readonly<Record<string, string>>,
    given: { readonly headers?: Headers; readonly body?: Buffer } = {},
  ): Promise<Reply> {
    const { headers, body } = given;
    return sendBytes(this.project, {
      path: resumable,
      headers: {
        ...protocol,
        ...this.credential,
        ...(body && patchType),
        'upload-length': String(length),
        'upload-metadata': metadataOf(fields),
        ...headers,
      },
      ...(body && { body }),
    });
  }

  /** Begins an upload and gives its id. Throws when it is refused. */
  async begin(length: number, fields: Readonly<Record<string, string>>): Promise<string> {
    return idIn(await this.create(length, fields));
  }

  patch(id: string, offset: number, body: Buffer | string, headers: Headers = {}): Promise<Reply> {
    return sendBytes(this.project, {
      method: 'PATCH',
      path: `${resumable}/${id}`,
      headers: this.patchHeaders(offset, headers),
      body,
    });
  }

  /** A part whose bytes the test writes. */
  openPatch(id: string, offset: number, headers: Headers): OpenRequest {
    const path = `${resumable}/${id}`;
    return openRequest(this.project, {
      method: 'PATCH',
      path,
      headers: this.patchHeaders(offset, headers),
    });
  }

  ask(method: 'HEAD' | 'DELETE' | 'OPTIONS', id: string): Promise<Reply> {
    const path = id === '' ? resumable : `${resumable}/${id}`;
    const headers = { ...protocol, ...this.credential };
    return sendBytes(this.project, { method, path, headers });
  }

  /** How many bytes the server has. Throws when there is no such upload. */
  async offset(id: string): Promise<number> {
    const { status, headers } = await this.ask('HEAD', id);
    if (status !== 200) throw new Error(`no offset: ${status}`);
    return Number(headers['upload-offset']);
  }

  /** The same for an upload that a server has left: a lease of it may last for ten seconds, with 423 meanwhile. */
  async offsetWhenFree(id: string): Promise<number> {
    const isFree = async () => (await this.ask('HEAD', id)).status !== 423;
    await timeUntil(isFree, { ms: 20_000, until: `the lease of the upload ${id} is over` });
    return this.offset(id);
  }

  /** Sends all of the content with tus-js-client; `stopAt` aborts when so many bytes have been sent. */
  send(
    content: Buffer,
    options: {
      readonly fields?: Readonly<Record<string, string>>;
      readonly id?: string;
      readonly stopAt?: number;
    },
  ): Promise<{ readonly id: string; readonly isWhole: boolean; readonly firstByte: number }> {
    const { apiOrigin, host } = this.project;
    const { fields, id, stopAt = Infinity } = options;
    return new Promise((resolve, reject) => {
      let firstByte = 0;
      const end = (isWhole: boolean): void => {
        resolve({ id: upload.url?.split('/').at(-1) ?? '', isWhole, firstByte });
      };
      const upload = new Upload(content, {
        endpoint: `${apiOrigin}${resumable}`,
        uploadUrl: id === undefined ? null : `${apiOrigin}${resumable}/${id}`,
        headers: { host, ...this.credential },
        metadata: { ...fields },
        chunkSize: 10 * mebibyte,
        retryDelays: [0, 500, 1000],
        onProgress(sent) {
          firstByte ||= sent;
          if (sent >= stopAt) upload.abort().then(() => end(false), reject);
        },
        onSuccess: () => end(true),
        onError: reject,
      });
      upload.start();
    });
  }

  private patchHeaders(offset: number, given: Headers): Headers {
    return {
      ...protocol,
      ...patchType,
      ...this.credential,
      'upload-offset': String(offset),
      ...given,
    };
  }
}

/** The id of the upload that an answer names. */
export function idIn({ status, headers, text }: Reply): string {
  if (status !== 201) throw new Error(`${status} ${text}`);
  return headers.location?.split('/').at(-1) ?? '';
}
