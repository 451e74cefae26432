import type { ErrorRow } from './error-row.js';

/** The errors of files and buckets; a part of the table in codes.ts. */
export const STORAGE_ERRORS = {
  INVALID_OBJECT_KEY: { status: 400, message: 'The object key is not valid: {reason}' },
  INVALID_BUCKET_SLUG: { status: 400, message: 'The bucket slug is not valid: {reason}' },
  INVALID_MEDIA_TYPE: { status: 400, message: '{text} is not a media type: {reason}' },
  CONTENT_MISMATCH: { status: 400, message: 'The content is {found}, not {declared}' },
  MEDIA_TYPE_NOT_ALLOWED: { status: 415, message: 'The bucket does not take {type}' },
  INVALID_CHECKSUM: { status: 400, message: 'The checksum in {header} is not valid: {reason}' },
  CHECKSUM_MISMATCH: { status: 400, message: 'The content does not have the announced checksum' },
  MULTIPART_INVALID: { status: 400, message: 'The form cannot be read: {reason}' },
  MISSING_FIELD: { status: 400, message: '{field} is required' },
  INVALID_EXPIRES_IN: {
    status: 400,
    message: 'expiresIn must be a whole number of seconds from 1 to 604800',
  },
  PRESIGN_NOT_SUPPORTED: {
    status: 400,
    message:
      'Presigned uploads are not supported with the local storage driver; use POST /api/files',
  },
  FILE_NOT_FOUND: { status: 404, message: 'File not found' },
  FILE_EXISTS: { status: 409, message: 'There is a file with this key; upsert replaces it' },
  PRECONDITION_FAILED: {
    status: 412,
    message: 'A condition of the request does not hold: {reason}',
  },
  UPLOAD_NOT_FOUND: { status: 404, message: 'Upload not found, or it has already ended' },
  UPLOAD_INCOMPLETE: {
    status: 409,
    message: 'The uploaded content does not match its announcement: {reason}. Start a new upload',
  },
  UPLOAD_STALLED: { status: 408, message: 'No content arrived for {seconds} seconds' },
  UPLOAD_BUSY: {
    status: 423,
    message: 'Another request is writing to this upload; try again soon',
  },
  UPLOAD_OFFSET_MISMATCH: {
    status: 409,
    message: 'Upload-Offset does not match; send HEAD to get the current offset',
  },
  CONTENT_ENCODING_NOT_SUPPORTED: {
    status: 415,
    message:
      'Content-Encoding: {encoding} is not supported here; send the bytes of the file as they are',
  },
  INVALID_UPLOAD_HEADER: { status: 400, message: '{header}: {reason}' },
  UNSUPPORTED_TUS_VERSION: { status: 412, message: 'Tus-Resumable must be 1.0.0' },
  QUOTA_EXCEEDED: { status: 413, message: 'The bucket {bucket} has no room for this upload' },
  BUCKET_NOT_FOUND: { status: 404, message: 'There is no bucket {slug}' },
  BUCKET_EXISTS: { status: 409, message: 'There is a bucket {slug} already' },
  BUCKET_NOT_EMPTY: {
    status: 409,
    message: 'The bucket {slug} holds files; empty it, or pass force=true',
  },
  BUCKET_PROTECTED: { status: 403, message: 'The bucket {slug} belongs to the platform' },
  BUCKET_TOKEN_REQUIRED: { status: 401, message: 'A {kind} token of the bucket is required' },
  INVALID_BUCKET_TOKEN: { status: 401, message: 'The token of the bucket is not valid' },
  BUCKET_TOKEN_KIND: {
    status: 403,
    message: 'A {kind} token is required; this is a {given} token',
  },
  TOKEN_NOT_FOUND: { status: 404, message: 'Token not found' },
  WEBHOOK_NOT_FOUND: { status: 404, message: 'Webhook not found' },
  DELIVERY_NOT_FOUND: { status: 404, message: 'Delivery not found' },
  RELOCATION_RUNNING: {
    status: 409,
    message: 'The files are being moved to the driver {driver}; stop that first',
  },
  INVALID_LINK: { status: 403, message: 'The link is not valid or has expired' },
  STORAGE_NOT_CONFIGURED: {
    status: 503,
    message: 'This file is in a store that the project is not set up for',
  },
  IMAGE_NOT_SUPPORTED: { status: 415, message: 'Images of this kind cannot be transformed' },
  IMAGE_INVALID: { status: 400, message: 'The image cannot be read: {reason}' },
  IMAGE_TOO_LARGE: { status: 413, message: 'The image is too large: {reason}' },
  IMAGE_TIMEOUT: { status: 422, message: 'The image takes too long to transform' },
  IMAGE_BUSY: { status: 429, message: 'Too many images of this project wait; try again soon' },
  // The places where bytes are stored
  FILE_TOO_LARGE: { status: 413, message: 'The file is larger than {maxBytes} bytes' },
  UPLOAD_SIZE_MISMATCH: { status: 400, message: 'The content is not the announced {size} bytes' },
  INVALID_RANGE: { status: 416, message: 'The range begins behind the end of the content' },
  STORAGE_OBJECT_MISSING: { status: 404, message: 'The stored content is missing' },
  STORAGE_OBJECT_EXISTS: { status: 409, message: 'Content is stored under this version already' },
  STORAGE_UNAVAILABLE: { status: 503, message: 'The file storage cannot be reached right now' },
  PROJECT_STORAGE_FULL: { status: 507, message: 'The project has no room for this upload' },
  PROJECT_DATABASE_FULL: {
    status: 507,
    message:
      'The database of the project is above its limit and takes no writes; delete rows as its owner, or raise the limit',
  },
  STORAGE_FULL: { status: 507, message: 'The file storage has no space left' },
} as const satisfies Record<string, ErrorRow>;
