import { DRIVER_KINDS } from '#libs/wire';

import { defineGroup } from '../define-group.js';
import { choice, flag, integer, object, secret, text } from '../field.js';

const mebibyte = 1024 * 1024;
const gibibyte = 1024 * mebibyte;

export const storage = defineGroup('storage', {
  title: 'Files',
  help: 'Where files are kept and how large they may be.',
  rebuilds: ['storage'],
  fields: {
    driver: choice({
      label: 'Where new files are kept',
      help: 'local is a folder on the server; s3 is a store with the API of Amazon S3.',
      of: DRIVER_KINDS,
      default: 'local',
      env: 'STORAGE_DRIVER',
    }),
    s3: object({
      label: 'The store',
      fields: {
        endpoint: text({
          label: 'Address',
          help: 'Empty for Amazon S3.',
          format: 'url',
          maxLength: 500,
          env: 'S3_ENDPOINT',
        }),
        region: text({
          label: 'Region',
          default: 'us-east-1',
          format: 'id',
          maxLength: 64,
          env: 'S3_REGION',
        }),
        bucket: text({
          label: 'Bucket of the store',
          help: 'Holds all buckets of the project; several projects may share it.',
          format: 'host',
          maxLength: 63,
          env: 'S3_BUCKET',
        }),
        accessKeyId: text({
          label: 'Access key id',
          maxLength: 128,
          env: 'S3_ACCESS_KEY_ID',
        }),
        secretAccessKey: secret({
          label: 'Secret access key',
          maxLength: 500,
          env: 'S3_SECRET_ACCESS_KEY',
        }),
        forcePathStyle: flag({
          label: 'Bucket in the path',
          help: 'On for most stores other than Amazon S3.',
          default: false,
          env: 'S3_FORCE_PATH_STYLE',
        }),
      },
    }),
    maxUploadBytes: integer({
      label: 'Maximum file size, in bytes',
      help: 'A bucket can have a smaller limit.',
      default: 50 * mebibyte,
      range: [1024, 5 * 1024 * gibibyte],
    }),
    presignExpiresIn: integer({
      label: 'Lifetime of a presigned upload',
      default: 900,
      range: [60, 86_400],
      unit: 's',
    }),
    signedLinks: flag({
      label: 'Links to private files',
      help: 'Anyone with the link can read the file until the link expires. Off: users read local files with their session.',
      default: false,
    }),
    images: object({
      label: 'Images',
      fields: {
        enabled: flag({ label: 'Transform images', default: true }),
        maxSourceBytes: integer({
          label: 'Maximum size of an image to transform, in bytes',
          default: 25 * mebibyte,
          range: [1024, 100 * mebibyte],
        }),
        cacheBytes: integer({
          label: 'Space for transformed images, in bytes',
          default: gibibyte,
          range: [0, 1024 * gibibyte],
        }),
      },
    }),
  },
  required: ({ driver }) =>
    driver === 's3' ? ['s3.bucket', 's3.accessKeyId', 's3.secretAccessKey'] : [],
  conflict: ({ driver, s3 }) => {
    if (driver === 'local') return undefined;
    const field = (['bucket', 'accessKeyId', 'secretAccessKey'] as const).find(
      (name) => s3[name] === undefined,
    );
    return field && { field: `s3.${field}`, reason: 'is needed for files in S3' };
  },
});
