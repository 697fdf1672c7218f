import { allCommands, type CommandTree, quoted } from './command-tree.ts'

/** For `quoin completion fish | source`. Where nothing fits, fish completes files. */
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

/** Each name on the way was written, and none that leads further. */
function condition(path: string, commands: readonly CommandTree[]): string {
  const seen = path.split(' ').filter((name) => name !== '')
  const further = commands.map(({ name }) => name).join(' ')
  return quoted(
    [
      ...seen.map((name) => `__fish_seen_subcommand_from ${name}`),
      ...(further === '' ? [] : [`not __fish_seen_subcommand_from ${further}`]),
    ].join('; and '),
  )
}

/** Within single quotes fish knows a backslash before a quote and before another one. */
function escaped(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
