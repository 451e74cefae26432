/** Where the bytes of files are: in a folder of the server, or in a store that speaks the protocol of Amazon S3. */
export const DRIVER_KINDS = ['local', 's3'] as const;
export type DriverKind = (typeof DRIVER_KINDS)[number];
