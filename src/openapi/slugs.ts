import { normalForm } from '../domain/normal-form.ts'
import type { Api, Operation } from './operations.ts'

/** Paths of the pages of operations and tags, relative to the folder of the reference, without an extension. */
export interface PageNames {
  readonly tags: ReadonlyMap<string, string>
  readonly operations: ReadonlyMap<Operation, string>
}

const MAX_LENGTH = 80

/**
 * Names pages after the `operationId`, else after method and path. They stay the same when operations are added or
 * removed, unless two have the same name: the later of them is then named after method and path.
 */
export function pageNames({ tags, operations }: Pick<Api, 'tags' | 'operations'>): PageNames {
  const folders = new Map<string, string>()
  const takenFolders = new Set<string>()
  for (const { name } of tags) folders.set(name, free([slugOf(name) || 'group'], takenFolders))
  const taken = new Map<string, Set<string>>()
  const names = new Map<Operation, string>()
  for (const operation of operations) {
    const folder = folders.get(operation.tag) ?? 'group'
    const used = taken.get(folder) ?? new Set(['index', 'readme', 'tags', 'page'])
    taken.set(folder, used)
    const byPath = slugOf(`${operation.method} ${operation.path}`)
    names.set(operation, `${folder}/${free([slugOf(operation.id ?? '') || byPath, byPath], used)}`)
  }
  return { tags: folders, operations: names }
}

/** The first of the names that is not taken, else the last one with a number. */
function free(names: readonly string[], taken: Set<string>): string {
  const last = names.at(-1) ?? ''
  let found = names.find((name) => name !== '' && !taken.has(name))
  for (let number = 2; found === undefined; number += 1)
    if (!taken.has(`${last}-${number}`)) found = `${last}-${number}`
  taken.add(found)
  return found
}

/** `listPetsById` and `pets/list_by-id` are `list-pets-by-id` and `pets-list-by-id`. */
function slugOf(name: string): string {
  return normalForm(name)
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$2-')
    .toLowerCase()
    .replace(/[^\p{L}\p{Nd}\p{Mn}\p{Mc}]+/gu, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^[-\p{Mn}\p{Mc}]+|-$/gu, '')
}
