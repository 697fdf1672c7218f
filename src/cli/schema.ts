import { Argument, Command } from 'commander'
import type { FileKind } from '../content-folder/json-schema.ts'

const KINDS: readonly FileKind[] = ['site', 'page', 'article', 'docs', 'item']

export function schemaCommand(): Command {
  return new Command('schema')
    .description('what a file of a content folder may say, as JSON Schema for editors')
    .addArgument(new Argument('<kind>', 'site.yaml, or the file of a page of that type').choices(KINDS))
    .addHelpText('after', '\nExample:\n  quoin schema page > page.schema.json\n')
    .action(async (kind: FileKind) => {
      const { fileJsonSchema } = await import('../content-folder/json-schema.ts')
      console.log(JSON.stringify(fileJsonSchema(kind), null, 2))
    })
}
