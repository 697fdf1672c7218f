import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import type { Artifact, SpooledBody } from '../domain/artifact.ts'

/** An artifact of which the body lies in a file, without it: so one thread tells another of it. */
export type Spooled = Omit<Artifact, 'body'> & { readonly spooled: SpooledBody }

/**
 * Writes the pages of a site to files as they are rendered, so that they need not all be in memory until
 * everything about the site is decided. Where that cannot be, on a full disk, they stay in memory: whoever
 * puts them in their place meets the same, and says so.
 *
 * @param folder that is there; each thread writes into one of its own beneath it.
 */
export function createSpool(folder: string): (artifact: Artifact) => Artifact | Spooled {
  const own = join(folder, String(threadId))
  let count = 0
  let isMade = false
  let isUsable = true

  return (artifact) => {
    const spooled = artifact.stage === 'page' && isUsable ? write(artifact.body) : null
    if (spooled === null) return artifact
    const { key, stage, owner } = artifact
    return { key, stage, owner, spooled }
  }

  function write(body: Uint8Array): SpooledBody | null {
    const file = join(own, String(count))
    try {
      if (!isMade) mkdirSync(own)
      isMade = true
      count += 1
      writeFileSync(file, body, { flag: 'wx' })
      return { file, digest: hash('sha256', body), size: body.byteLength }
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error
      isUsable = false
      // Half of it may be there, on a disk that is full.
      if (isMade) rmSync(file, { force: true })
      return null
    }
  }
}

/** With its body, which is read each time that somebody asks for it. */
export function withBody(artifact: Artifact | Spooled): Artifact {
  if ('body' in artifact) return artifact
  const { file } = artifact.spooled
  return {
    ...artifact,
    get body() {
      return readFileSync(file)
    },
  }
}
