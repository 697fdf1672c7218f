import { allCommands, type CommandTree, flagsWithValues, quoted } from './command-tree.ts'

/** The script for `source <(quoin completion bash)`. Without a match, bash completes files. */
export function bashScript(tree: CommandTree): string {
  const all = allCommands(tree)
  return `_quoin() {
  local current=\${COMP_WORDS[COMP_CWORD]} at= word names= flags=
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${at:+$at }$word" in
      ${all.flatMap(({ path }) => (path === '' ? [] : [quoted(path)])).join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${all.map(branch).join('\n')}
  esac
  case "$at \${COMP_WORDS[COMP_CWORD-1]}" in
${flagsWithValues(tree)
  .map(({ path, name, values }) => `    ${quoted(`${path} ${name}`)}) names=${quoted(values.join(' '))} ;;`)
  .join('\n')}
  esac
  [[ $current == -* ]] && names=$flags
  while read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$names" -- "$current")
}
complete -o default -F _quoin quoin
`
}

function branch({ path, commands, words, flags }: CommandTree): string {
  const names = [...commands.map(({ name }) => name), ...words].join(' ')
  return `    ${quoted(path)}) names=${quoted(names)} flags=${quoted(flags.map(({ name }) => name).join(' '))} ;;`
}
