import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { z } from 'zod'

import { messageOf } from '../domain/errors.ts'
import { ThemeError } from './theme-error.ts'

export interface ThemeFile {
  /** Where it lies on this machine, for messages. */
  readonly path: string
  readonly text: string
}

/** Files by their name beneath a folder, e.g. `partials/head.eta`, in the order of their names. */
export type ThemeFiles = ReadonlyMap<string, ThemeFile>

export function folderPath(folder: URL | string): string {
  return typeof folder === 'string' ? folder : fileURLToPath(folder)
}

/**
 * Every file with this ending that lies directly in `{root}/{folder}`; none if there is no such folder.
 *
 * @throws {ThemeError} if one of them, or the folder, is a symbolic link.
 */
export async function readFolder(root: string, folder: string, ending: string): Promise<ThemeFiles> {
  const here = join(root, folder)
  if (!(await isPresent(here))) return new Map()
  const names = (await readdir(here)).filter((name) => name.endsWith(ending)).sort()
  const files = names.map(
    async (name) => [`${folder}/${name}`, await readThemeFile(join(here, name))] as const,
  )
  return new Map(await Promise.all(files))
}

/** @throws {ThemeError} if the file is missing or a symbolic link. */
export async function readThemeFile(path: string): Promise<ThemeFile> {
  if (!(await isPresent(path)))
    throw new ThemeError({ file: path, line: null, message: 'There is no such file.' })
  return { path, text: await readFile(path, 'utf8') }
}

/**
 * Whether something lies at this path.
 *
 * @throws {ThemeError} if it is a symbolic link: it could lead anywhere, and what it leads to would be published.
 */
export async function isPresent(path: string): Promise<boolean> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (found?.isSymbolicLink() === true) {
    throw new ThemeError({ file: path, line: null, message: 'Symbolic links are refused in themes.' })
  }
  return found !== null
}

/** @throws {ThemeError} if the file is no JSON or not of this shape. */
export function parseThemeJson<Shape>(shape: z.ZodType<Shape>, { path, text }: ThemeFile): Shape {
  const parsed = shape.safeParse(parseJson(path, text))
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new ThemeError({ file: path, line: null, message: faults.join('; ') })
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = messageOf(error)
    const position = /at position (\d+)/.exec(message)?.[1]
    const before = position === undefined ? null : text.slice(0, Number(position)).split('\n')
    const place = {
      line: before?.length ?? null,
      column: before === null ? null : (before.at(-1) ?? '').length + 1,
    }
    throw new ThemeError({ file, ...place, message }, { cause: error })
  }
}
