import { Argument, Command } from 'commander'
import type { SchemaKind } from '../content-folder/json-schema.ts'

const KINDS: readonly SchemaKind[] = ['site', 'page', 'article', 'docs', 'item']

export function schemaCommand(): Command {
  return new Command('schema')
    .description('print the JSON Schema of a file of a content folder, for editors')
    .addArgument(new Argument('<kind>', 'site for site.yaml, or the type of a page').choices(KINDS))
    .addHelpText('after', '\nExample:\n  quoin schema page > page.schema.json\n')
    .action(async (kind: SchemaKind) => {
      const { fileJsonSchema } = await import('../content-folder/json-schema.ts')
      console.log(JSON.stringify(fileJsonSchema(kind), null, 2))
    })
}
