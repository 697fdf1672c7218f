import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { generate } from 'selfsigned'
import { expect, onTestFinished, test } from 'vitest'
import { serveCertificate } from '../../src/cli/renewed-certificate.ts'
import { startCommand } from '../support/command.ts'
import { freePort } from '../support/free-port.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A certificate with this name and its key. */
async function pairOf(name: string) {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], { keyType: 'ec' })
  return { cert: Buffer.from(cert), key: Buffer.from(key) }
}

/** The name in the certificate that a new connection gets. */
function servedName(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN))
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

test('a renewed certificate is served by itself, and one without its key leaves the former one in place', async () => {
  const [first, second] = [await pairOf('first'), await pairOf('second')]
  let pair = first
  const events: string[] = []
  const server = createServer()
  const renewal = await serveCertificate(
    server,
    {
      load: async () => pair,
      onRenewed: () => events.push('renewed'),
      onError: (error) => events.push(`${error}`),
    },
    5,
  )
  onTestFinished(() => renewal.stop())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  expect(await servedName(port)).toBe('first')

  pair = { ...first, cert: second.cert }
  await expect.poll(() => events).toEqual([expect.stringContaining('mismatch')])
  await renewal.check()
  await renewal.check()
  expect([await servedName(port), events.length]).toEqual(['first', 1])

  pair = second
  await expect.poll(() => servedName(port)).toBe('second')
  expect(events.slice(1)).toEqual(['renewed'])
})

test.each(['serve', 'worker'])(
  '%s reads the files of its certificate at SIGHUP, and goes on',
  async (command) => {
    const folder = await temporaryFolder()
    const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    const write = async (name: string) => {
      const { cert, key } = await pairOf(name)
      await writeFile(keyFile, key)
      await writeFile(certFile, cert)
    }
    await write('first')
    const port = await freePort()
    const service = startCommand([command], {
      QUOIN_DATA: join(folder, 'data'),
      QUOIN_PORT: String(port),
      QUOIN_BASE_URL: `https://127.0.0.1:${port}`,
      QUOIN_TLS_CERT: certFile,
      QUOIN_TLS_KEY: keyFile,
    })
    await service.line(/is ready at https:/)
    expect(await servedName(port)).toBe('first')
    await write('second')
    service.kill('SIGHUP')
    // Sooner than the files are read by themselves.
    await expect.poll(() => servedName(port), { timeout: 20_000 }).toBe('second')
    service.kill('SIGHUP')
    service.kill('SIGTERM')
    expect(await service.ended).toMatchObject({ code: 0 })
  },
)

test('a service without a certificate of its own goes on at SIGHUP', async () => {
  const service = startCommand(['serve'], {
    QUOIN_DATA: await temporaryFolder(),
    QUOIN_PORT: '0',
    QUOIN_ALLOW_HTTP: 'true',
  })
  const [, url = ''] = await service.line(/is ready at (\S+)/)
  service.kill('SIGHUP')
  await expect.poll(async () => (await fetch(`${url}/healthz`)).status).toBe(200)
  service.kill('SIGTERM')
  expect(await service.ended).toMatchObject({ code: 0 })
})
