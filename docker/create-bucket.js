// Creates the bucket S3_BUCKET in the store of the S3 variables, and changes nothing when it is there. Only for a store
// of one's own, such as the one of compose.parts.yaml: the server never creates buckets.
import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';

const { env } = process;
const client = new S3Client({
  endpoint: env.S3_ENDPOINT,
  region: env.S3_REGION || 'us-east-1',
  forcePathStyle: true,
  credentials: { accessKeyId: env.S3_ACCESS_KEY_ID, secretAccessKey: env.S3_SECRET_ACCESS_KEY },
});
const bucket = { Bucket: env.S3_BUCKET };
try {
  await client.send(new HeadBucketCommand(bucket));
} catch (error) {
  if (error.$metadata?.httpStatusCode !== 404) throw error;
  await client.send(new CreateBucketCommand(bucket));
}
