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
}

export function treeOf(command: Command, parent: string | null = null): CommandTree {
  const path = parent === null ? '' : `${parent} ${command.name()}`.trim()
  const flags = command.options.flatMap(({ long, description, flags }) =>
    long ? [{ name: long, description, takesValue: flags.includes('<') }] : [],
  )
  return {
    path,
    name: command.name(),
    description: command.description(),
    flags: [...flags, { name: '--help', description: 'show help', takesValue: false }],
    commands: command.commands.map((inner) => treeOf(inner, path)),
    words: command.registeredArguments[0]?.argChoices ?? [],
  }
}

/** The tree itself and everything beneath it. */
export function allOf(tree: CommandTree): readonly CommandTree[] {
  return [tree, ...tree.commands.flatMap(allOf)]
}

/** As a shell takes it for one word. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
