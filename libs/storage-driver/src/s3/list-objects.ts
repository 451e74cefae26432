// Lists the objects of one project in a store that it may share with other projects. Names begin with slugs, which the
// driver does not know, so the store lists them.
import {
  type ListMultipartUploadsCommandOutput,
  type ListObjectsV2CommandOutput,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3';
import { addressOf, projectPrefix } from './object-name.js';

export interface ProjectObjects {
  readonly client: S3Client;
  readonly bucket: string;
  readonly ref: string;
  readonly signal?: AbortSignal | undefined;
}

export interface ListedObject {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly modifiedAt: Date;
}

export interface UnfinishedUpload {
  readonly name: string;
  readonly uploadId: string;
  readonly startedAt: Date;
}

/** Every object whose name belongs to the project. Throws errors of the SDK. */
export async function* listObjects(project: ProjectObjects): AsyncGenerator<ListedObject> {
  for await (const slug of slugsIn(project)) {
    for await (const page of pages(project, { Prefix: projectPrefix(project.ref, slug) })) {
      for (const { Key, Size, LastModified } of page.Contents ?? []) {
        if (Key === undefined || Size === undefined || LastModified === undefined) continue;
        yield { name: decode(Key), size: Size, modifiedAt: LastModified };
      }
    }
  }
}

/** Every upload in parts of the project that was neither completed nor aborted. Throws errors of the SDK. */
export async function* listUploads(project: ProjectObjects): AsyncGenerator<UnfinishedUpload> {
  const { client, bucket, ref } = project;
  let markers: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
  for (let isLast = false; !isLast;) {
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, EncodingType: 'url', ...markers }),
    );
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (Key === undefined || UploadId === undefined || Initiated === undefined) continue;
      const name = decode(Key);
      if (addressOf(ref, name)) yield { name, uploadId: UploadId, startedAt: Initiated };
    }
    isLast = page.IsTruncated !== true;
    markers = {
      KeyMarker: page.NextKeyMarker === undefined ? undefined : decode(page.NextKeyMarker),
      UploadIdMarker: page.NextUploadIdMarker,
    };
  }
}

async function* slugsIn(project: ProjectObjects): AsyncGenerator<string> {
  for await (const page of pages(project, { Delimiter: '/' })) {
    for (const { Prefix } of page.CommonPrefixes ?? []) {
      if (Prefix !== undefined) yield decode(Prefix).replace(/\/$/, '');
    }
  }
}

async function* pages(
  { client, bucket, signal }: ProjectObjects,
  selection: { readonly Prefix?: string; readonly Delimiter?: string },
): AsyncGenerator<ListObjectsV2CommandOutput> {
  let token: string | undefined;
  do {
    const page: ListObjectsV2CommandOutput = await client.send(
      new ListObjectsV2Command({
        Bucket: bucket,
        // Names may contain characters that XML cannot express.
        EncodingType: 'url',
        ContinuationToken: token,
        ...selection,
      }),
      { ...(signal && { abortSignal: signal }) },
    );
    yield page;
    token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
  } while (token !== undefined);
}

/** Decodes a name in the store's encoding: form encoding, in which a plus is a space. */
function decode(name: string): string {
  return decodeURIComponent(name.replaceAll('+', ' '));
}
