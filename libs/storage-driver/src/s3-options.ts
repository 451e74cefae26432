/** The IP address to reach the store at. Rejects for a host that may not be called. */
export type ResolveStorageHost = (host: string, port: number) => Promise<string>;

export interface S3StorageOptions {
  /** Origin of the store; undefined means AWS in the region. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  /** Bucket of the store, which all buckets of the project share, and other projects may. */
  readonly bucket: string;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
  };
  /** Puts the bucket into the path and not into the host, which most stores other than AWS need. */
  readonly forcePathStyle: boolean;
  /** Ref of the project. */
  readonly ref: string;
  /**
   * Whether the store knows `If-None-Match: *` (AWS, MinIO and R2 do): presigned uploads then work once.
   * Absent: the first presigned upload finds it out.
   */
  readonly conditionalWrites?: boolean | undefined;
  /** Looks up the host of the store; by default the system does, and any host may be called. */
  readonly resolveHost?: ResolveStorageHost | undefined;
}

export type S3CheckStep = 'connect' | 'list' | 'write' | 'read' | 'delete';

/** What trying out the settings of a store has shown. */
export type S3Check =
  | {
      readonly isOk: true;
      /** Whether the store knows `If-None-Match: *`. */
      readonly conditionalWrites: boolean;
    }
  | {
      readonly isOk: false;
      readonly step: S3CheckStep;
      /** One sentence for the operator, naming the setting to look at; without secrets. */
      readonly reason: string;
    };
