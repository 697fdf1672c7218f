import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { LONG_FORM } from './long-form.ts'

const PROGRAMS = ['ceph-mon', 'ceph-osd', 'ceph', 'radosgw', 'radosgw-admin']
const script = fileURLToPath(new URL('radosgw.mjs', import.meta.url))

/** Why a real S3 server cannot run on this machine. Null when it can. */
export const RADOSGW_MISSING: string | null = missing()

function missing(): string | null {
  if (process.getuid?.() !== 0 || !PROGRAMS.every((program) => existsSync(`/usr/bin/${program}`)))
    return "root and Debian's packages are needed: apt-get install radosgw ceph-mon ceph-osd ceph-common"
  return LONG_FORM ? null : 'It takes a while to start: QUOIN_LONG=1 npm test'
}

export interface Radosgw {
  readonly endpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  stop(): Promise<void>
}

/** Takes about 15 s. */
export async function startRadosgw(): Promise<Radosgw> {
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  for await (const line of createInterface(child.stdout)) {
    return {
      ...JSON.parse(line),
      stop: async () => {
        child.stdin.end()
        await ended
      },
    }
  }
  throw new Error('The S3 server did not start.')
}
