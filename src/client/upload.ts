import type { PreparedRequest } from './request.ts'

/**
 * Content to upload. A stream can be sent once only; a function that opens one, or a whole file, is sent again when a
 * request was refused for lack of room or lost.
 */
export type UploadContent =
  | Blob
  | Uint8Array<ArrayBuffer>
  | AsyncIterable<Uint8Array>
  | (() => AsyncIterable<Uint8Array>)

/** @param bytes that were handed to the connection so far, of this attempt. */
export type OnUploadProgress = (bytes: number) => unknown

/**
 * Adds a file to a request. With `onProgress` it is sent in chunks, which browsers do over HTTP/2 only.
 *
 * @returns the request, which opens the file again for each attempt.
 */
export function withFile(
  request: PreparedRequest,
  content: UploadContent,
  onProgress: OnUploadProgress | undefined,
): PreparedRequest {
  const headers = new Headers(request.init.headers)
  headers.set('Content-Type', 'application/octet-stream')
  const isWhole = content instanceof Uint8Array || content instanceof Blob
  return {
    ...request,
    init: { ...request.init, headers },
    repeatable: request.repeatable && (isWhole || typeof content === 'function'),
    openBody: () =>
      isWhole && onProgress === undefined ? content : toStream(chunksOf(content), onProgress ?? (() => {})),
  }
}

function chunksOf(content: UploadContent): AsyncIterable<Uint8Array> {
  if (typeof content === 'function') return content()
  if (content instanceof Blob) return readAll(content.stream())
  if (content instanceof Uint8Array) return readAll(new Blob([content]).stream())
  return content
}

/** Not all browsers iterate over streams. */
async function* readAll(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    reader.releaseLock()
  }
}

function toStream(
  chunks: AsyncIterable<Uint8Array>,
  onProgress: OnUploadProgress,
): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  let sent = 0
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) return controller.close()
      controller.enqueue(value)
      sent += value.byteLength
      onProgress(sent)
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}
