/** The stored bytes of an asset. Read or cancel `body`: until then it holds a connection. */
export interface AssetContent {
  /** SHA-256 of the bytes, hex. A connection that breaks makes the body fail; compare it where that is not enough. */
  readonly digest: string
  readonly contentType: string
  /** Size of the body; null when a proxy between does not say it. */
  readonly bytes: number | null
  readonly body: ReadableStream<Uint8Array>
}

/** @returns null when the answer says that the client has these bytes. */
export function contentOf({ status, headers, body }: Response): AssetContent | null {
  if (status === 304 || body === null) return null
  const length = headers.get('Content-Length')
  return {
    digest: (headers.get('ETag') ?? '').replace(/^(W\/)?"|"$/g, ''),
    contentType: headers.get('Content-Type') ?? '',
    bytes: length === null ? null : Number(length),
    body,
  }
}
