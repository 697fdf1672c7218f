import type { Theme } from '../theme/theme.ts'
import { assetsOf } from '../theme/theme-asset.ts'

interface File {
  readonly key: string
  readonly body: Uint8Array
}

const NO_BODY = new Uint8Array()

/**
 * Removes the bodies of theme files from messages and puts them back: every page has its theme's files, which both
 * processes have loaded. A key contains the hash of its bytes, so it identifies them.
 */
export function createThemeFiles(themes: ReadonlyMap<string, Theme>) {
  const bodies = new Map([...themes.values()].flatMap(assetsOf).map(({ key, body }) => [key, body]))
  return {
    without: <F extends File>(file: F): F => (bodies.has(file.key) ? { ...file, body: NO_BODY } : file),
    restored: <F extends File>(file: F): F => {
      const body = bodies.get(file.key)
      return body === undefined ? file : { ...file, body }
    },
  }
}
