// Signed links: each gives read access to one version of one private file for a limited time, without a session.
// They are used where the driver has none of its own, and only if the project allows them.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';
import { type AskedDisposition, isUuid, transformQuery } from '#libs/storage-rules';

import { findFile } from '../core/locate.js';
import type { StoredFile } from '../core/stored-file.js';
import { rawUrl } from '../core/file-view.js';
import { askedDisposition, dispositionQuery } from './file-headers.js';
import { firstText } from './query-text.js';

/** What a link carries beside the address of the file. */
export interface SignedLink {
  /** In seconds since 1970. */
  readonly expiresAt: number;
  /** Names the key that signed, so that the one before it may be kept for a while. */
  readonly keyId: string;
  readonly signature: string;
  readonly view: LinkView;
}

/** What a link gives: the bytes of the file, or an image made of it by these parameters. */
export type LinkView =
  | { readonly kind: 'bytes'; readonly asked: AskedDisposition | undefined }
  | { readonly kind: 'image'; readonly parameters: string };

type Signed = Pick<SignedLink, 'expiresAt' | 'view'>;

const secondsForm = /^\d{1,12}$/;
const keyIdLetters = 8;

/** The link of a request for bytes; undefined if the request has none. Throws INVALID_LINK for an incomplete link. */
export function readLink(query: unknown): SignedLink | undefined {
  return readLinkTo(query, () => ({ kind: 'bytes', asked: askedDisposition(query) }));
}

/** The same for a request of an image. Throws INVALID_INPUT (400) too. */
export function readImageLink(query: Readonly<Record<string, unknown>>): SignedLink | undefined {
  return readLinkTo(query, () => ({ kind: 'image', parameters: transformQuery(query) ?? '' }));
}

function readLinkTo(query: unknown, viewOf: () => LinkView): SignedLink | undefined {
  const signature = firstText(query, 'sig');
  if (signature === undefined) return undefined;
  const expires = firstText(query, 'exp') ?? '';
  const keyId = firstText(query, 'kid');
  if (!secondsForm.test(expires) || keyId === undefined) throw fail('INVALID_LINK');
  return { expiresAt: Number(expires), keyId, signature, view: viewOf() };
}

/** Returns a link to a file. It also stops working when the file is replaced. */
export function signLink(project: ProjectRuntime, file: StoredFile, signed: Signed): string {
  const key = project.files.linkKey;
  const link = new URL(addressOf(project, file, signed.view));
  link.searchParams.set('exp', String(signed.expiresAt));
  link.searchParams.set('kid', keyIdOf(key));
  link.searchParams.set('sig', signatureOf(key, { ref: project.record.ref, file, signed }));
  return link.href;
}

/** The address of a view of a file for callers, who are asked for their rights. */
export function addressOf(project: ProjectRuntime, file: StoredFile, view: LinkView): string {
  if (view.kind === 'bytes') return `${rawUrl(project, file)}${dispositionQuery(view.asked)}`;
  return `${project.baseUrl.origin}${imagePath}?id=${file.id}&${view.parameters}`;
}

/** Where images are made. */
export const imagePath = '/storage/v1/render/image';

/**
 * The file behind a link. Throws INVALID_LINK (403) for every fault of the link: an
 * invented link must not reveal which files exist.
 */
export async function findLinkedFile(
  project: ProjectRuntime,
  id: string,
  link: SignedLink,
): Promise<StoredFile> {
  if (
    link.expiresAt <= Date.now() / 1000 ||
    !isUuid(id) ||
    link.keyId !== keyIdOf(project.files.linkKey)
  ) {
    throw fail('INVALID_LINK');
  }
  const file = await findFile(project, { kind: 'platform' }, { kind: 'id', id });
  if (!file || !mayHaveLinks(project, file) || !isSignedBy(project, file, link)) {
    throw fail('INVALID_LINK');
  }
  return file;
}

/** Whether the project gives links to the file. A store that signs addresses itself has its images linked as well. */
export function mayHaveLinks(project: ProjectRuntime, { driver }: StoredFile): boolean {
  return driver === 's3' || project.settings.get('storage').signedLinks;
}

function isSignedBy(project: ProjectRuntime, file: StoredFile, link: SignedLink): boolean {
  const { ref } = project.record;
  const expected = Buffer.from(signatureOf(project.files.linkKey, { ref, file, signed: link }));
  const given = Buffer.from(link.signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** What is signed is one line each, but the name at the end, which may be any text. */
function signatureOf(
  key: Buffer,
  parts: { readonly ref: string; readonly file: StoredFile; readonly signed: Signed },
): string {
  const { ref, file, signed } = parts;
  const { id, version } = file;
  const { view } = signed;
  const [verb, query] =
    view.kind === 'bytes' ? ['GET', dispositionQuery(view.asked)] : ['IMAGE', view.parameters];
  const lines = ['v1', verb, ref, id, version, signed.expiresAt, query];
  return createHmac('sha256', key).update(lines.join('\n')).digest('base64url');
}

/** Distinguishes keys without revealing anything about them. */
function keyIdOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, keyIdLetters);
}
