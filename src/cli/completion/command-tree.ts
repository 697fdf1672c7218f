import type { Command } from 'commander'

/** A command with its flags and subcommands, as a shell completes it. */
export interface CommandTree {
  /** The names of the command and its parents, e.g. `keys create`. Empty for the program itself. */
  readonly path: string
  readonly name: string
  readonly description: string
  readonly flags: readonly Flag[]
  readonly commands: readonly CommandTree[]
  /** The values of its first argument. Empty when it may be any text. */
  readonly words: readonly string[]
}

export interface Flag {
  /** With its dashes. */
  readonly name: string
  readonly description: string
  readonly takesValue: boolean
  /** Common values of the flag. Empty when there are none. */
  readonly values: readonly string[]
}

/**
 * @param usual common values of flags that accept others too, by flag with its dashes.
 * @param parent the path of the parent command. Null for the program itself.
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

/** The command itself and all of its subcommands. */
export function allCommands(tree: CommandTree): readonly CommandTree[] {
  return [tree, ...tree.commands.flatMap(allCommands)]
}

/** The flags with known values, each with the path of its command. */
export function flagsWithValues(tree: CommandTree): readonly (Flag & { readonly path: string })[] {
  return allCommands(tree).flatMap(({ path, flags }) =>
    flags.flatMap((flag) => (flag.values.length === 0 ? [] : [{ ...flag, path }])),
  )
}

/** Quotes text as one word for bash and zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
