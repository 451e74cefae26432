/** What the address of the screen says. Undefined: as if the address did not say it. */
export interface FilesSearch {
  /** The slug of the open bucket. */
  readonly bucket?: string | undefined;
  /** The open part of the bucket, its files unless it is given. */
  readonly part?: string | undefined;
  /** The open folder, with a slash at the end. */
  readonly in?: string | undefined;
  /** Part of a name. */
  readonly q?: string | undefined;
  /** The order, as `size.desc`. */
  readonly sort?: string | undefined;
  /** The id of the file whose details are open. */
  readonly open?: string | undefined;
}
