import type { Command } from 'commander'

/** A command line as far as a shell can complete it. */
export interface CommandTree {
  /** The names on the way to it, e.g. `keys create`; empty for the program itself. */
  readonly path: string
  readonly name: string
  readonly description: string
  readonly flags: readonly Flag[]
  readonly commands: readonly CommandTree[]
  /** What its first argument may be, where it is one of a few words. */
  readonly words: readonly string[]
}

export interface Flag {
  /** With its dashes. */
  readonly name: string
  readonly description: string
  readonly takesValue: boolean
  /** What the value is, or mostly is; empty where nobody can say. */
  readonly values: readonly string[]
}

/**
 * @param usual values of flags that take others too, by the flag with its dashes.
 * @param parent path of the command that it is one of; null for the program itself.
 */
export function treeOf(
  command: Command,
  usual: Readonly<Record<string, readonly string[]>>,
  parent: string | null = null,
): CommandTree {
  const path = parent === null ? '' : `${parent} ${command.name()}`.trim()
  const flags = command.options.flatMap(({ long, description, flags, argChoices }) => {
    if (!long) return []
    const takesValue = flags.includes('<')
    const values = argChoices ?? (takesValue ? usual[long] : undefined) ?? []
    return [{ name: long, description, takesValue, values }]
  })
  return {
    path,
    name: command.name(),
    description: command.description(),
    flags: [...flags, { name: '--help', description: 'show help', takesValue: false, values: [] }],
    commands: command.commands.map((inner) => treeOf(inner, usual, path)),
    words: command.registeredArguments[0]?.argChoices ?? [],
  }
}

/** The tree itself and everything beneath it. */
export function allCommands(tree: CommandTree): readonly CommandTree[] {
  return [tree, ...tree.commands.flatMap(allCommands)]
}

/** The flags of which something is known of their values, each with the path of its command. */
export function flagsWithValues(tree: CommandTree): readonly (Flag & { readonly path: string })[] {
  return allCommands(tree).flatMap(({ path, flags }) =>
    flags.flatMap((flag) => (flag.values.length === 0 ? [] : [{ ...flag, path }])),
  )
}

/** As a shell takes it for one word. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
