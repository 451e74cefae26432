/** Returns the IP address to reach the store at. Rejects if the host must not be called. */
export type ResolveStorageHost = (host: string, port: number) => Promise<string>;

export interface S3StorageOptions {
  /** Origin of the store; undefined means AWS in the region. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  /** Bucket of the store. All buckets of the project share it, and other projects may, too. */
  readonly bucket: string;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
  };
  /** Puts the bucket into the path instead of the host; most stores other than AWS need that. */
  readonly forcePathStyle: boolean;
  /** Ref of the project. */
  readonly ref: string;
  /**
   * Whether the store supports `If-None-Match: *` (AWS, MinIO and R2 do); presigned uploads then work only once. If
   * absent, the first presigned upload tests it.
   */
  readonly conditionalWrites?: boolean | undefined;
  /** Looks up the host of the store. Default: the lookup of the system, without restrictions. */
  readonly resolveHost?: ResolveStorageHost | undefined;
}

export type S3CheckStep = 'connect' | 'list' | 'write' | 'read' | 'delete';

/** The result of testing the settings of a store. */
export type S3Check =
  | {
      readonly isOk: true;
      /** Whether the store supports `If-None-Match: *`. */
      readonly conditionalWrites: boolean;
    }
  | {
      readonly isOk: false;
      readonly step: S3CheckStep;
      /** One sentence for the operator, naming the setting to look at; without secrets. */
      readonly reason: string;
    };
