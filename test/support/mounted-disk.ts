import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Whether this process may mount file systems. */
export const MAY_MOUNT = mayMount()

function mayMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const folder = mkdtempSync(join(tmpdir(), 'quoin-mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    rmdirSync(folder)
  }
}

/**
 * A small file system in memory, gone when the test is over.
 *
 * @param options as of `mount`, such as `size=8m,nr_inodes=100`.
 */
export function mountDisk(options: string) {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-mount-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
  onTestFinished(() => {
    execFileSync('umount', ['-l', folder])
    rmdirSync(folder)
  })
  const filler = join(folder, 'filler')
  return {
    folder,
    /** Leave no byte free. */
    fill(): void {
      for (const bytes of [2 ** 20, 2 ** 12, 1]) {
        try {
          for (;;) writeFileSync(filler, Buffer.alloc(bytes), { flag: 'a' })
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        }
      }
    },
    free: () => rmSync(filler),
    remount: (how: 'ro' | 'rw') => void execFileSync('mount', ['-o', `remount,${how}`, folder]),
  }
}
