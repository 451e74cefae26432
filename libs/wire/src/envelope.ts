/** The envelope of batch, presign and other platform answers (spec: Envelopes and shared shapes). */
export interface DataEnvelope<T> {
  readonly status: 1;
  readonly message: 'OK';
  readonly data: T;
}

export function dataEnvelope<T>(data: T): DataEnvelope<T> {
  return { status: 1, message: 'OK', data };
}
