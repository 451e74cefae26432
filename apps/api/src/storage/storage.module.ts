import { Module } from '@nestjs/common';

import { BucketCorsController } from './buckets/bucket-cors.controller.js';
import { BucketsController } from './buckets/buckets.controller.js';
import { BucketTokensController } from './buckets/tokens.controller.js';
import { RelocationController } from './relocation/relocation.controller.js';
import { ResumableController } from './resumable/resumable.controller.js';
import { PresignController } from './uploads/presign.controller.js';
import { RunningUploads } from './uploads/running-uploads.js';
import { UploadsController } from './uploads/uploads.controller.js';
import { WebhookDeliveriesController } from './webhooks/deliveries.controller.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { BucketFilesController } from './files/bucket-files.controller.js';
import { ChangeFilesController } from './files/change-files.controller.js';
import { ReadFilesController } from './files/read-files.controller.js';
import { FileImagesController } from './images/file-images.controller.js';
import { ImagesController } from './images/images.controller.js';

/** Files, buckets and images. */
@Module({
  controllers: [
    ReadFilesController,
    ChangeFilesController,
    BucketFilesController,
    ImagesController,
    FileImagesController,
    BucketsController,
    BucketCorsController,
    BucketTokensController,
    WebhooksController,
    WebhookDeliveriesController,
    RelocationController,
    PresignController,
    UploadsController,
    ResumableController,
  ],
  providers: [RunningUploads],
})
export class StorageModule {}
