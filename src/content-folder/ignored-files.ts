import ignore from 'ignore'
import { DOT_NAMES } from '../domain/site-names.ts'

/* Files of a content folder that are neither read nor served, as patterns of a `.gitignore` file. */

/** Files of tools for writing and building a site. Files for visitors are in `static/`. */
const PROJECT_FILES = [
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'bun.lock',
  'bun.lockb',
  'deno.json',
  'deno.jsonc',
  'deno.lock',
  '/composer.json',
  '/composer.lock',
  '/Gemfile*',
  '/tsconfig*.json',
  '/jsconfig.json',
  '/biome.json*',
  '/renovate.json*',
  '/vercel.json',
  '/netlify.toml',
  '/wrangler.toml',
  '/*.config.js',
  '/*.config.cjs',
  '/*.config.mjs',
  '/*.config.ts',
  '/Makefile',
  '/Justfile',
  '/Dockerfile*',
  '/docker-compose*.yml',
  '*.code-workspace',
  '*.iml',
]

/** Files at the top that are about the repository. */
const REPOSITORY_FILES = [
  '/LICENSE',
  '/LICENSE.*',
  '/LICENSE-*',
  '/LICENCE',
  '/LICENCE.*',
  '/COPYING',
  '/COPYING.*',
  '/NOTICE',
  '/NOTICE.*',
  '/TODO',
  '/TODO.*',
]

/** Files that version control, editors and systems leave behind, in any folder. */
const LITTER = [
  '.*',
  '*~',
  '~$*',
  '\\#*#',
  '*.swp',
  '*.swo',
  '*.bak',
  '*.orig',
  '*.rej',
  '*.tmp',
  '[Tt]humbs.db',
  'ehthumbs.db',
  '[Dd]esktop.ini',
  '$RECYCLE.BIN/',
  '__MACOSX/',
  'Icon[\r]',
  'node_modules/',
]

/** The patterns of every content folder. */
const DEFAULT_IGNORE: readonly string[] = [
  ...PROJECT_FILES,
  ...REPOSITORY_FILES,
  '!/static/**',
  ...LITTER,
  ...[...DOT_NAMES].map((name) => `!/static/**/${name}`),
]

/** Without this file there is no site, whatever a pattern such as `*` says. */
const NEVER_IGNORED = '!/site.yaml'

export interface IgnoreRules {
  /** The patterns of `ignore` in `site.yaml`. */
  readonly own: readonly string[]
  /**
   * Reports whether a file or folder is left out. Callers do not ask for the content of an ignored folder.
   *
   * @param path relative to the content folder, with forward slashes.
   */
  ignores(path: string, kind: 'file' | 'folder'): boolean
}

/**
 * @param own the patterns of `ignore` in `site.yaml`. They come after the defaults, so that `!` takes back a default.
 */
export function ignoreRules(own: readonly string[]): IgnoreRules {
  // Upper and lower case differ, as in git on Linux: `TODO.md` is a note, `todo.md` may be a page.
  const patterns = ignore({ ignorecase: false }).add([...DEFAULT_IGNORE, ...own, NEVER_IGNORED])
  return { own, ignores: (path, kind) => patterns.ignores(kind === 'folder' ? `${path}/` : path) }
}
