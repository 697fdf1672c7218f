import type { Theme } from '../theme/theme.ts'

interface File {
  readonly key: string
  readonly body: Uint8Array
}

const LEFT_OUT = new Uint8Array()

/**
 * Every page names its theme's files, which parent and child both have: between them they go without
 * their bytes. A key names its bytes by their hash.
 */
export function createThemeFiles(themes: ReadonlyMap<string, Theme>) {
  const bodies = new Map(
    [...themes.values()].flatMap(({ assets, files }) =>
      [...Object.values(assets), ...files.values()].map(({ key, body }) => [key, body]),
    ),
  )
  return {
    without: <F extends File>(file: F): F => (bodies.has(file.key) ? { ...file, body: LEFT_OUT } : file),
    restored: <F extends File>(file: F): F => {
      const body = bodies.get(file.key)
      return body === undefined ? file : { ...file, body }
    },
  }
}
