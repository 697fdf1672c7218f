import type { Measured, Reply } from '../platform/reply.ts'
import type { ImageProcessor } from './image-processor.ts'

/** A call to a child process: a method of the port with its arguments. */
export interface ImageRequest {
  readonly call: 'inspect' | 'clean' | 'derive' | 'deriveAll' | 'drawCard'
  readonly args: readonly unknown[]
}

export type ImageResult = Awaited<ReturnType<ImageProcessor[ImageRequest['call']]>>

/** The first message of a child says whether it decodes, or why not; all others answer a request. */
export type ImageMessage =
  | { readonly ready: { readonly reason: string | null } }
  | (Reply<ImageResult> & Measured)
