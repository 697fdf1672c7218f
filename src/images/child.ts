// The program of a child process that reads and derives images, one at a time.
import { toMeasuredReply } from '../platform/reply.ts'
import { loadDecoder } from './decoder.ts'
import { createInProcessImages } from './in-process.ts'
import type { ImageMessage, ImageRequest, ImageResult } from './protocol.ts'

// A terminal's Ctrl-C reaches children too; the parent decides when they end.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
// Without the parent nothing limits the work. A normal exit would wait for the thread that decodes.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

const loaded = await loadDecoder()
const images = createInProcessImages('decoder' in loaded ? loaded.decoder : null)

process.on('message', ({ call, args }: ImageRequest) => {
  const work = images[call] as (...args: readonly unknown[]) => Promise<ImageResult>
  void toMeasuredReply(() => work(...args)).then(send)
})
send({ ready: { reason: 'reason' in loaded ? loaded.reason : null } })

function send(message: ImageMessage): void {
  process.send?.(message)
}
