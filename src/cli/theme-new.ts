import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import { humanise } from '../page-text/humanise.ts'
import { PACKAGE_ROOT, THEME_FOLDERS } from '../platform/package-paths.ts'
import { print } from './administration.ts'
import { assertEmptyFolder, createFile, quotedWord } from './new-folder.ts'
import { trustCreated } from './trust.ts'

const DEFAULT = 'default'
const SITE_FILE = 'site.yaml'

export function themeNewCommand(): Command {
  return new Command('new')
    .description('create a small theme that extends a built-in one')
    .argument('<name>', 'name of the theme, or a new or empty folder of that name')
    .option('--extends <theme>', 'theme to extend', DEFAULT)
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
In a content folder, a name creates the theme in themes/, where quoin build and quoin dev
find it. Existing files are never replaced.

Examples:
  quoin theme new mine
  quoin theme new ./themes/mine --extends minimal
`,
    )
    .action(async (name: string, flags: { readonly extends: string }, command: Command) => {
      const inSite = !/[/\\]|^\.+$/.test(name) && existsSync(SITE_FILE)
      const path = inSite ? join('themes', name) : name
      const folder = resolve(path)
      await assertNames(basename(folder), flags.extends)
      await assertEmptyFolder(folder)
      const files = await themeFiles(basename(folder), flags.extends)
      for (const [file, text] of Object.entries(files)) await createFile(join(folder, file), text)
      await trustCreated(folder)
      const names = Object.keys(files)
      print(
        command,
        { ok: true, folder, name: basename(folder), extends: flags.extends, files: names },
        nextSteps(path, names.length, siteOfTheme(path)),
      )
    })
}

/** @throws {ConfigError} */
async function assertNames(name: string, parent: string): Promise<void> {
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

/** The texts of the new files, by path in the theme. */
async function themeFiles(name: string, parent: string): Promise<Readonly<Record<string, string>>> {
  const { templates } = THEME_FOLDERS
  const manifest = {
    title: humanise(name),
    description: 'Describe the theme in one sentence.',
    extends: parent,
    tokens: { brand: ['#0b6e4f', '#3ecf9a'] },
  }
  const footer = await readFile(join(templates, 'partials/footer.eta'), 'utf8')
  return {
    'theme.json': `${JSON.stringify(manifest, null, 2).replace(/\[\s+("[^"]*"),\s+("[^"]*")\s+\]/g, '[$1, $2]')}\n`,
    'style.css': await readFile(join(STARTER, 'style.css'), 'utf8'),
    'partials/footer.eta': `${FOOTER_NOTE}\n${footer}`,
    'components/callout.eta': await readFile(join(STARTER, 'components/callout.eta'), 'utf8'),
    'components/callout.yaml': await readFile(join(STARTER, 'components/callout.yaml'), 'utf8'),
  }
}

const STARTER = join(PACKAGE_ROOT, 'templates/starter-theme')

const FOOTER_NOTE =
  '<%/* The footer of every page. It replaces the shared footer; remove this file to restore that one. */%>'

/** The content folder whose `themes/` holds the theme, relative like the given path; null if there is none. */
function siteOfTheme(path: string): string | null {
  const themes = dirname(resolve(path))
  const site = dirname(themes)
  if (basename(themes) !== 'themes' || !existsSync(join(site, SITE_FILE))) return null
  return isAbsolute(path) ? site : relative('', site) || '.'
}

/**
 * @param path of the theme, as given on the command line.
 * @param site the content folder of the theme; null if it is outside of one.
 */
function nextSteps(path: string, files: number, site: string | null): readonly string[] {
  const theme = quotedWord(path)
  const name = basename(path)
  const preview =
    site === null
      ? `quoin dev <your site> --theme-folder ${theme}`
      : `quoin dev ${quotedWord(site)} --theme ${name}`
  return [
    `${path}: ${files} files. Start with the colours in ${join(path, 'theme.json')}.`,
    '',
    'Preview it while you edit:',
    `  ${preview}`,
    '',
    'Check it:',
    `  quoin theme check ${theme}`,
    '',
    ...(site === null
      ? ['Use it for a site: move the folder to its themes/, and write its name as theme in site.yaml.']
      : [`Use it for the site: write theme: ${name} in ${join(site, SITE_FILE)}.`]),
    'Install it on a server: move the folder to the themes folder of quoin serve --themes.',
  ]
}
