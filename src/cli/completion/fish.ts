import { allCommands, type CommandTree, quoted } from './command-tree.ts'

/** The script for `quoin completion fish | source`. Without a match, fish completes files. */
export function fishScript(tree: CommandTree): string {
  return `${allCommands(tree).flatMap(lines).join('\n')}\n`
}

function lines({ path, commands, words, flags }: CommandTree): readonly string[] {
  const here = condition(path, commands)
  return [
    ...commands.map(
      ({ name, description }) => `complete -c quoin -n ${here} -f -a ${name} -d ${escaped(description)}`,
    ),
    ...(words.length === 0 ? [] : [`complete -c quoin -n ${here} -f -a ${escaped(words.join(' '))}`]),
    ...flags.map(({ name, description, takesValue, values }) => {
      const value = values.length > 0 ? ` -x -a ${escaped(values.join(' '))}` : takesValue ? ' -r' : ''
      return `complete -c quoin -n ${here} -l ${name.slice(2)}${value} -d ${escaped(description)}`
    }),
  ]
}

/** True when the command line names this command and none of its subcommands. */
function condition(path: string, commands: readonly CommandTree[]): string {
  const names = path.split(' ').filter((name) => name !== '')
  const subcommands = commands.map(({ name }) => name).join(' ')
  return quoted(
    [
      ...names.map((name) => `__fish_seen_subcommand_from ${name}`),
      ...(subcommands === '' ? [] : [`not __fish_seen_subcommand_from ${subcommands}`]),
    ].join('; and '),
  )
}

/** Quotes text for fish. In single quotes, fish reads a backslash before a quote or a backslash as an escape. */
function escaped(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
