import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createDevHandler, type DevServerPorts, listenOnLoopback } from '../../src/dev/dev-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A server of one file, which was larger by `lost` bytes when its size was read. */
async function serve(text: string, lost: number): Promise<string> {
  const location = join(await temporaryFolder(), 'intro.mp4')
  await writeFile(location, text)
  const { size } = await stat(location)
  const { server, origin } = await listenOnLoopback(0)
  const onBug = vi.fn()
  const handle = createDevHandler({
    session: { noteRequest: () => {} } as unknown as DevServerPorts['session'],
    routes: {
      respond: async () => ({
        kind: 'asset',
        contentType: 'video/mp4',
        location,
        size: size + lost,
        etag: '"1"',
      }),
    },
    onBug,
  })
  server.on('request', handle)
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    expect(onBug).not.toHaveBeenCalled()
  })
  return `${origin}/intro.mp4`
}

test('a file is sent whole, or the range that a player asks for', async () => {
  const url = await serve('0123456789', 0)
  expect(await (await fetch(url)).text()).toBe('0123456789')
  const part = await fetch(url, { headers: { Range: 'bytes=2-4' } })
  expect(part.headers.get('content-range')).toBe('bytes 2-4/10')
  expect(await part.text()).toBe('234')
})

test('the answer of a file that has become shorter ends as broken, and does not stay open', async () => {
  const url = await serve('0123456789', 5)
  const answer = await fetch(url)
  expect(answer.headers.get('content-length')).toBe('15')
  await expect(answer.text()).rejects.toThrow('terminated')
})
