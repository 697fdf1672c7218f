import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { globalAgent, get as httpsGet } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { rootCertificates } from 'node:tls'
import { generate } from 'selfsigned'
import { onTestFinished } from 'vitest'
import { freePort } from './free-port.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Debian's package `pebble` has both programs. */
export const hasPebble = ['pebble', 'pebble-challtestsrv'].every((name) => existsSync(`/usr/bin/${name}`))

/** Let's Encrypt's test server, with a DNS server to which every name is this machine. */
export interface Pebble {
  readonly directory: string
  /** The root of the certificates that it issues, PEM. */
  readonly root: string
  /** The port at which it asks for challenges. */
  readonly httpPort: number
  /** Gives a name another address; null gives it that of this machine again. */
  setAddress(name: string, address: string | null): Promise<void>
}

/** Starts the authority until the test ends. Its own certificate is trusted by requests of this process. */
export async function startPebble(): Promise<Pebble> {
  const folder = await temporaryFolder()
  const [port, management, dns, dnsManagement, httpPort = 0] = await freePorts(5)
  const own = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  })
  const file = (name: string) => join(folder, name)
  await writeFile(file('cert.pem'), own.cert)
  await writeFile(file('key.pem'), own.private)
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: file('cert.pem'),
    privateKey: file('key.pem'),
    httpPort,
    tlsPort: 1,
    domainBlocklist: ['blocked-domain.example'],
  }
  await writeFile(file('config.json'), JSON.stringify({ pebble }))

  const dnsFlags = ['-dns01', `127.0.0.1:${dns}`, '-management', `127.0.0.1:${dnsManagement}`]
  const off = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv6', '']
  endWithTest(spawn('pebble-challtestsrv', [...dnsFlags, ...off], { stdio: 'ignore' }))
  const flags = ['-config', file('config.json'), '-dnsserver', `127.0.0.1:${dns}`]
  // Some nonces are refused, as busy authorities do.
  const env = { PATH: process.env['PATH'] ?? '', PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '10' }
  endWithTest(spawn('pebble', flags, { stdio: 'ignore', env }))

  const trusted = globalAgent.options.ca
  globalAgent.options.ca = [...rootCertificates, own.cert]
  onTestFinished(() => {
    globalAgent.options.ca = trusted
  })
  const directory = `https://localhost:${port}/dir`
  await answering(() => textOf(directory))
  await answering(() => fetch(`http://127.0.0.1:${dnsManagement}/`))
  return {
    directory,
    httpPort,
    root: await textOf(`https://localhost:${management}/roots/0`),
    async setAddress(name, address) {
      const path = address === null ? 'clear-a' : 'add-a'
      const body = JSON.stringify({ host: `${name}.`, ...(address !== null && { addresses: [address] }) })
      await fetch(`http://127.0.0.1:${dnsManagement}/${path}`, { method: 'POST', body })
    },
  }
}

/** Ports that are free now, for programs that take no port 0. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>()
  while (ports.size < count) ports.add(await freePort())
  return [...ports]
}

function endWithTest(child: ChildProcess): void {
  onTestFinished(() => void child.kill('SIGKILL'))
}

/** Repeats a request until a program that starts answers it. */
async function answering(request: () => Promise<unknown>): Promise<void> {
  for (let attempts = 0; attempts < 200; attempts++) {
    try {
      await request()
      return
    } catch {
      await sleep(50)
    }
  }
  throw new Error('Pebble does not answer.')
}

function textOf(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    httpsGet(url, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part) => (text += part))
      answer.on('end', () => resolve(text))
    }).on('error', reject)
  })
}
