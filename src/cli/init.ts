import { readdir, readFile } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { Command, Option } from 'commander'
import { ConfigError } from '../app/config.ts'
import { ignoreRules } from '../content-folder/ignored-files.ts'
import { humanise } from '../page-text/humanise.ts'
import { PACKAGE_ROOT } from '../platform/package-paths.ts'
import { print } from './administration.ts'
import { assertEmptyFolder, createFile, createIfMissing, quotedWord } from './new-folder.ts'
import { randomFolderId, withId } from './new-id.ts'
import { trustCreated } from './trust.ts'

/** Descriptions of the templates, by the name of their folder in `templates/sites`. */
export const SITE_TEMPLATES = {
  starter: 'a page, an article, docs and an item, to learn from',
  docs: 'documentation with a quick start, guides and a reference',
  blog: 'articles with tags, an author and a feed',
  portfolio: 'the work of a studio, with a page for each piece',
  event: 'a conference with a schedule, speakers, tickets and the way there',
  product: 'a program to download, with features, a comparison and news',
  saas: 'a product on subscription, with prices',
  restaurant: 'a restaurant with a menu, a table to book and evenings',
  handbook: 'how a team works, with a sidebar and chapters',
  changelog: 'the news of a product by version, and its plans',
  minimal: 'a person with notes, in one column',
} as const
type Template = keyof typeof SITE_TEMPLATES
const TEMPLATES_FOLDER = 'templates/sites'
const SITE_FILE = 'site.yaml'
const MAX_NAME_LENGTH = 100

/** A file that may already exist in the folder, like all ignored files. It is not content. */
const REPOSITORY_FILE = 'README.md'

/** Written here, because npm packages cannot contain a file of this name. */
const IGNORED = { name: '.gitignore', text: '/dist/\n' }

interface InitOptions {
  readonly name?: string
  readonly template: Template
  readonly editor: boolean
}

export function initCommand(): Command {
  return new Command('init')
    .description('create a site from one of several templates')
    .argument(
      '[folder]',
      'folder to create; it may hold a README.md and what builds ignore, such as package.json and node_modules',
      '.',
    )
    .option('--name <name>', 'name of the site, instead of the name of the folder')
    .addOption(
      new Option('--template <name>', 'what the site starts as')
        .choices(Object.keys(SITE_TEMPLATES))
        .default('starter'),
    )
    .option('--editor', 'set up VS Code too, as quoin editor does', false)
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
Templates:
${Object.entries(SITE_TEMPLATES)
  .map(([name, description]) => `  ${name.padEnd(10)} ${description}`)
  .join('\n')}

Existing files are never replaced.

Examples:
  quoin init my-site
  quoin init my-product --template saas
`,
    )
    .action(async (path: string, { name, template, editor }: InitOptions, command: Command) => {
      const folder = resolve(path)
      const siteName = nameArgument(name, folder)
      const { ignores } = ignoreRules([])
      await assertEmptyFolder(folder, (name, kind) => name === REPOSITORY_FILE || ignores(name, kind))
      const files = await writeTemplate(template, folder, siteName)
      await trustCreated(folder)
      if (editor) await (await import('./editor.ts')).setUpEditor(folder)
      print(command, { ok: true, folder, name: siteName, files }, nextSteps(path, files.length))
    })
}

/** @throws {ConfigError} */
function nameArgument(flag: string | undefined, folder: string): string {
  const name = (flag ?? humanise(basename(folder))).trim() || 'My site'
  if (name.length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(name)) return name
  throw new ConfigError(`--name: must be one line of at most ${MAX_NAME_LENGTH} characters.`)
}

/** @returns the created files, relative to the folder. */
async function writeTemplate(template: Template, folder: string, name: string): Promise<readonly string[]> {
  const source = join(PACKAGE_ROOT, TEMPLATES_FOLDER, template)
  const entries = await readdir(source, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(source, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
  const id = randomFolderId()
  const [, placeholder = ''] = NAME.exec(await readFile(join(source, SITE_FILE), 'utf8')) ?? []
  for (const file of files) {
    const bytes = await readFile(join(source, file))
    const isText = file.endsWith('.yaml') || file.endsWith('.md')
    const content = isText ? withName(bytes.toString(), placeholder, name) : bytes
    await createFile(join(folder, file), file === SITE_FILE ? withId(String(content), id) : content)
  }
  return (await createIfMissing(join(folder, IGNORED.name), IGNORED.text)) ? [IGNORED.name, ...files] : files
}

const NAME = /^name: (.*)$/m
/** Values of one line: the name of the site, the title of a page, the line at its end. */
const VALUE = /^( *(?:name|title|copyright): )(.*)$/gm

/** Replaces the name of the template in a text. A value becomes JSON: it is valid YAML for any text. */
function withName(text: string, placeholder: string, name: string): string {
  const named = (written: string) => written.replaceAll(placeholder, () => name)
  return named(
    text.replace(VALUE, (line, field: string, value: string) =>
      value.includes(placeholder) ? field + JSON.stringify(value.replaceAll(placeholder, () => PLACE)) : line,
    ),
  ).replaceAll(PLACE, () => JSON.stringify(name).slice(1, -1))
}

/** A character that no template has, in place of a name within JSON. */
const PLACE = '\uE000'

/** @param site the folder as the user wrote it. */
function nextSteps(site: string, files: number): readonly string[] {
  const out = quotedWord(join(site, 'dist'))
  return [
    `${site}: ${files} files created. Start with ${join(site, 'index.yaml')}.`,
    '',
    'Preview the site while you write:',
    `  quoin dev ${quotedWord(site)}`,
    '',
    'Build it:',
    `  quoin build ${quotedWord(site)} --out ${out} --url https://example.com`,
    '',
    'Upload it to a bucket or a folder:',
    `  quoin deploy ${out} --to s3://my-bucket`,
    '',
    'Or push it to a Quoin server:',
    `  QUOIN_KEY=… quoin push ${quotedWord(site)} --server https://quoin.example.com --publish`,
    'A push sends the pages, and the pictures and files that they name.',
  ]
}
