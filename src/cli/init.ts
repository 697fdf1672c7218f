import { readdir, readFile } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import { humanised } from '../page-text/humanise.ts'
import { PACKAGE_ROOT } from '../platform/package-paths.ts'
import { print } from './administration.ts'
import { assertEmptyFolder, createFile, createIfMissing, quotedWord } from './new-folder.ts'

const STARTER = join(PACKAGE_ROOT, 'templates/starter-site')
const SITE_FILE = 'site.yaml'
const MAX_NAME_LENGTH = 100

/** What a repository that was just made may hold; none of it is content. */
const REPOSITORY_FILES = ['README.md', 'LICENSE']

/** Not among the starter's files: packages leave files of this name out. */
const IGNORED = { name: '.gitignore', text: '/dist/\n' }

export function initCommand(): Command {
  return new Command('init')
    .description('a small site to begin with: a front page, an article, docs and an item')
    .argument('[folder]', 'where it is made; new, empty, or with no more than a README.md and a LICENSE', '.')
    .option('--name <name>', 'of the site, instead of what the folder is called')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nNothing that is there is ever replaced.\n\nExample:\n  quoin init my-site\n')
    .action(async (path: string, { name }: { readonly name?: string }, command: Command) => {
      const folder = resolve(path)
      const siteName = nameArgument(name, folder)
      await assertEmptyFolder(folder, REPOSITORY_FILES)
      const files = await writeStarter(folder, siteName)
      print(command, { ok: true, folder, name: siteName, files }, nextSteps(path, files.length))
    })
}

/** @throws {ConfigError} */
function nameArgument(flag: string | undefined, folder: string): string {
  const name = (flag ?? humanised(basename(folder))).trim() || 'My site'
  if (name.length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(name)) return name
  throw new ConfigError(`--name: must be one line of at most ${MAX_NAME_LENGTH} characters.`)
}

/** @returns the files made, relative to the folder. */
async function writeStarter(folder: string, name: string): Promise<readonly string[]> {
  const entries = await readdir(STARTER, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(STARTER, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
  for (const file of files) {
    const bytes = await readFile(join(STARTER, file))
    await createFile(join(folder, file), file === SITE_FILE ? withName(bytes.toString(), name) : bytes)
  }
  return (await createIfMissing(join(folder, IGNORED.name), IGNORED.text)) ? [IGNORED.name, ...files] : files
}

/** As JSON, which YAML reads as it is meant. */
function withName(text: string, name: string): string {
  return text.replace(/^name: .*$/m, () => `name: ${JSON.stringify(name)}`)
}

/** @param site the folder as it was named. */
function nextSteps(site: string, files: number): readonly string[] {
  const out = quotedWord(join(site, 'dist'))
  return [
    `${site}: ${files} files. Begin with ${join(site, 'index.yaml')}.`,
    '',
    'Look at it while you write:',
    `  quoin dev ${quotedWord(site)}`,
    '',
    'Make finished pages of it:',
    `  quoin build ${quotedWord(site)} --out ${out} --url https://example.com`,
    '',
    'Put them where they are served, a bucket or a folder:',
    `  quoin deploy ${out} --to s3://my-bucket`,
    '',
    'Or send the folder to a Quoin service:',
    `  QUOIN_KEY=… quoin push ${quotedWord(site)} --server https://quoin.example.com --publish`,
    'That sends pages and settings alone, not the pictures in static/: put them elsewhere and',
    'name them by their whole address first, or build and deploy.',
  ]
}
