import { AppError } from './app-error.js';

/** The fields of a web framework's error that describe the client's mistake. */
interface HttpFault {
  readonly statusCode?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly getStatus?: unknown;
}

const BY_CODE = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_JSON_BODY: 'INVALID_JSON',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'INVALID_JSON',
  FST_ERR_MAX_PARAM_LENGTH: 'URI_TOO_LONG',
} as const;

const BY_STATUS = {
  400: 'INVALID_REQUEST',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'BODY_TOO_LARGE',
  414: 'URI_TOO_LONG',
  415: 'UNSUPPORTED_MEDIA_TYPE',
} as const;

/** The parts of the request that an error message may contain. */
export interface RequestFacts {
  readonly method: string;
  /** The path without its query: a query may carry tokens. */
  readonly path: string;
  readonly contentType: string | undefined;
  readonly maxBodyBytes: number;
}

/**
 * Returns the error for a value that a web framework threw: its 4xx errors become ours, an AppError stays, and
 * everything else is left for `renderError` to hide.
 */
export function fromHttpFault(thrown: unknown, request: RequestFacts): unknown {
  if (thrown instanceof AppError || typeof thrown !== 'object' || thrown === null) return thrown;
  const fault: HttpFault = thrown;
  const code = codeOf(fault);
  if (!code) return thrown;
  return new AppError(
    code,
    {
      method: request.method,
      path: request.path,
      type: request.contentType ?? 'none',
      maxBytes: request.maxBodyBytes,
    },
    { cause: thrown },
  );
}

function codeOf(fault: HttpFault) {
  if (typeof fault.code === 'string' && fault.code in BY_CODE) {
    return BY_CODE[fault.code as keyof typeof BY_CODE]; // `in` was checked just before.
  }
  const status =
    typeof fault.getStatus === 'function' ? fault.getStatus.call(fault) : fault.statusCode;
  return BY_STATUS[status as keyof typeof BY_STATUS] as  // An unknown key gives undefined.
    (typeof BY_STATUS)[keyof typeof BY_STATUS] | undefined;
}
