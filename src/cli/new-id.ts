import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import { SITE_FILE } from '../content-folder/file-kind.ts'
import { ServiceError } from '../domain/errors.ts'
import { hasCode } from '../platform/fs-errors.ts'
import { randomId } from '../services/new-id.ts'
import { print } from './administration.ts'
import { folderArgument } from './folder-argument.ts'

export function newIdCommand(): Command {
  return new Command('new-id')
    .description('give a content folder another identity, so that it is pushed as a site of its own')
    .argument('<folder>', 'content folder with a site.yaml')
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
A push finds the project of a folder by the id in its site.yaml, wherever the folder is. Run this in a copy of a
folder that becomes another site. The next push creates a project for it.

Example:
  quoin new-id my-second-site
`,
    )
    .action(async (path: string, _flags: unknown, command: Command) => {
      const folder = folderArgument(path)
      const id = randomFolderId()
      const file = join(folder, SITE_FILE)
      const text = await readFile(file, 'utf8').catch((error) => {
        if (hasCode(error, ['ENOENT']))
          throw new ServiceError('validation_error', `${path} has no ${SITE_FILE}.`, { cause: error })
        throw error
      })
      await writeFile(file, withId(text, id))
      print(command, { ok: true, folder, id }, [
        `${path} has the id ${id} now. Its next push goes to a project of its own.`,
      ])
    })
}

/** An id that no other folder has. */
export function randomFolderId(): string {
  return randomId()
}

/** The text of `site.yaml` with this `id`, in place of its own or as its first line. All else stays to the letter. */
export function withId(text: string, id: string): string {
  const own = /^id:[^\n]*$/m
  return own.test(text) ? text.replace(own, `id: ${id}`) : `id: ${id}\n${text}`
}
