import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import { SITE_FILE } from '../content-folder/file-kind.ts'
import { INCLUDES_FOLDER } from '../content-folder/includes.ts'
import { REDIRECTS_FILE } from '../content-folder/redirects.ts'
import type { JsonObject } from '../domain/json.ts'
import { fallbackOn } from '../platform/fs-errors.ts'
import { mkdirp } from '../platform/mkdirp.ts'
import { print } from './administration.ts'
import { createIfMissing } from './new-folder.ts'
import { EDITOR_SCHEMAS, editorSchema } from './schema.ts'

const FOLDER = '.vscode'

export function editorCommand(): Command {
  return new Command('editor')
    .description('set up VS Code for a content folder: completion, explanations and errors while you write')
    .argument('[folder]', 'the content folder, which is opened in VS Code', '.')
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
Writes the schemas to .vscode/quoin, and settings.json, tasks.json and extensions.json in .vscode unless they exist. Run
it again after an upgrade, and after a change of "types" in site.yaml.

Example:
  quoin editor my-site
`,
    )
    .action(async (path: string, _: object, command: Command) => {
      const folder = resolve(path)
      const { created, existing } = await setUpEditor(folder)
      print(command, { ok: true, folder, files: created, existing: Object.keys(existing) }, [
        `Wrote ${created.length} files to ${join(path, FOLDER)}. Open ${path} in VS Code and install the extensions it recommends.`,
        ...Object.entries(existing).map(
          ([name, text]) => `${name} exists already and was not replaced. Add to it:\n${text}`,
        ),
      ])
    })
}

/** The type of the pages in each folder, as `site.yaml` names them. */
async function typesOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const text = await fallbackOn(['ENOENT'], readFile(join(folder, SITE_FILE), 'utf8'), null)
  if (text === null)
    throw new ConfigError(`${folder} has no site.yaml. Name a content folder, or create one: quoin init.`)
  const { siteTypes } = await import('../content-folder/site-file.ts')
  return siteTypes(text)
}

interface EditorFiles {
  readonly created: readonly string[]
  /** Texts of files that exist with another content and were not replaced, by name. */
  readonly existing: Readonly<Record<string, string>>
}

/** @throws {ConfigError} when the folder has no `site.yaml`. */
export async function setUpEditor(folder: string): Promise<EditorFiles> {
  const types = await typesOf(folder)
  const schemas = join(FOLDER, 'quoin')
  await mkdirp(join(folder, schemas))
  const created: string[] = []
  for (const kind of EDITOR_SCHEMAS) {
    const name = join(schemas, `${kind}.schema.json`)
    await writeFile(join(folder, name), `${await editorSchema(kind)}\n`)
    created.push(name)
  }
  const existing: Record<string, string> = {}
  for (const [file, content] of Object.entries(editorFiles(types))) {
    const name = join(FOLDER, file)
    const text = `${JSON.stringify(content, null, 2)}\n`
    if (await createIfMissing(join(folder, name), text)) created.push(name)
    else if ((await readFile(join(folder, name), 'utf8')) !== text) existing[name] = text
  }
  return { created, existing }
}

function editorFiles(types: Readonly<Record<string, string>>): Readonly<Record<string, JsonObject>> {
  const folders = Object.keys(types)
  const ofType = (type: string) =>
    folders.filter((name) => types[name] === type).map((name) => `/${name}/**/*.yaml`)
  const schemaOf = (kind: string) => `.vscode/quoin/${kind}.schema.json`
  const typed = [...new Set(Object.values(types))].filter((type) => type !== 'page')
  return {
    'settings.json': {
      'yaml.schemas': {
        [schemaOf('site')]: `/${SITE_FILE}`,
        [schemaOf('page')]: [
          '/**/*.yaml',
          `!/${SITE_FILE}`,
          `!/${REDIRECTS_FILE}`,
          `!/${INCLUDES_FOLDER}**`,
          ...(folders.includes('data') ? [] : ['!/data/**']),
          '!/static/**',
          '!/themes/**',
          '!/.*/**',
          ...folders.filter((name) => types[name] !== 'page').map((name) => `!/${name}/**`),
        ],
        ...Object.fromEntries(typed.map((type) => [schemaOf(type), ofType(type)])),
      },
      'json.schemas': [{ fileMatch: ['/themes/*/theme.json'], url: `./${schemaOf('theme')}` }],
    },
    'tasks.json': {
      version: '2.0.0',
      tasks: [
        {
          label: 'quoin: check the site',
          type: 'shell',
          command: 'quoin build . --out dist --url https://example.com',
          group: { kind: 'build', isDefault: true },
          problemMatcher: {
            owner: 'quoin',
            fileLocation: ['relative', `\${workspaceFolder}`],
            pattern: {
              regexp: '^(.+?):(\\d+):(?:(\\d+):)? (error|warning) (QN-[A-Z-]+) (.+)$',
              file: 1,
              line: 2,
              column: 3,
              severity: 4,
              code: 5,
              message: 6,
            },
          },
        },
      ],
    },
    'extensions.json': { recommendations: ['redhat.vscode-yaml'] },
  }
}
