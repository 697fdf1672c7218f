import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import { humanised } from '../page-text/humanise.ts'
import { PACKAGE_ROOT, THEME_FOLDERS } from '../platform/package-paths.ts'
import { print } from './administration.ts'
import { assertEmptyFolder, createFile, quotedWord } from './new-folder.ts'

const DEFAULT = 'default'
const SITE_FILE = 'site.yaml'

export function themeNewCommand(): Command {
  return new Command('new')
    .description('a small theme of your own, that has all else from one that comes with Quoin')
    .argument('<name>', 'of the theme, or a folder that is called like it; a new or an empty one')
    .option('--extends <theme>', 'the theme it begins with', DEFAULT)
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
In a content folder a name alone makes it in themes/, where quoin build and dev find it.
Nothing that is there is ever replaced.

Examples:
  quoin theme new mine
  quoin theme new ./themes/mine --extends minimal
`,
    )
    .action(async (name: string, flags: { readonly extends: string }, command: Command) => {
      const inSite = !/[/\\]|^\.+$/.test(name) && existsSync(SITE_FILE)
      const path = inSite ? join('themes', name) : name
      const folder = resolve(path)
      await refuseNames(basename(folder), flags.extends)
      await assertEmptyFolder(folder)
      const files = await themeFiles(basename(folder), flags.extends)
      for (const [file, text] of Object.entries(files)) await createFile(join(folder, file), text)
      const names = Object.keys(files)
      print(
        command,
        { ok: true, folder, name: basename(folder), extends: flags.extends, files: names },
        nextSteps(path, names.length, siteAround(path)),
      )
    })
}

/** @throws {ConfigError} */
async function refuseNames(name: string, parent: string): Promise<void> {
  const { listThemes, invalidNameReason } = await import('../theme/list-themes.ts')
  const themes = await listThemes(THEME_FOLDERS)
  const fault = invalidNameReason(
    name,
    themes.find((theme) => theme.name === name),
  )
  if (fault !== null) throw new ConfigError(fault)
  const names = themes.map((theme) => theme.name)
  if (!names.includes(parent))
    throw new ConfigError(`--extends: must be one of ${names.join(', ')}, not ${JSON.stringify(parent)}.`)
}

/** Texts by their paths in the theme. */
async function themeFiles(name: string, parent: string): Promise<Readonly<Record<string, string>>> {
  const { templates } = THEME_FOLDERS
  const manifest = {
    title: humanised(name),
    description: 'Say in one sentence what it is for.',
    extends: parent,
    tokens: { brand: ['#0b6e4f', '#3ecf9a'] },
  }
  const footer = await readFile(join(templates, 'partials/footer.eta'), 'utf8')
  return {
    'theme.json': `${JSON.stringify(manifest, null, 2).replace(/\[\s+("[^"]*"),\s+("[^"]*")\s+\]/g, '[$1, $2]')}\n`,
    'style.css': await readFile(join(PACKAGE_ROOT, 'templates/starter-theme/style.css'), 'utf8'),
    'partials/footer.eta': `${FOOTER_NOTE}\n${footer}`,
  }
}

const FOOTER_NOTE =
  '<%/* The footer of every page, instead of the one all themes share. Remove this file to have that again. */%>'

/** The content folder that has the theme in its `themes/`, as whoever named the theme would name it; null without one. */
function siteAround(path: string): string | null {
  const themes = dirname(resolve(path))
  const site = dirname(themes)
  if (basename(themes) !== 'themes' || !existsSync(join(site, SITE_FILE))) return null
  return isAbsolute(path) ? site : relative('', site) || '.'
}

/**
 * @param path of the theme as it was named.
 * @param site it lies in; null where it lies elsewhere.
 */
function nextSteps(path: string, files: number, site: string | null): readonly string[] {
  const theme = quotedWord(path)
  const name = basename(path)
  const look =
    site === null
      ? `quoin dev <your site> --theme-folder ${theme}`
      : `quoin dev ${quotedWord(site)} --theme ${name}`
  return [
    `${path}: ${files} files. Begin with the colours in ${join(path, 'theme.json')}.`,
    '',
    'Look at it while you write:',
    `  ${look}`,
    '',
    'Have it checked:',
    `  quoin theme check ${theme}`,
    '',
    ...(site === null
      ? ['Take it for a site: put the folder into its themes/, and name it as its theme in site.yaml.']
      : [`Take it for the site: theme: ${name} in ${join(site, SITE_FILE)}.`]),
    'Install it on a server: put the folder among those of quoin serve --themes.',
  ]
}
