import { allCommands, type CommandTree, flagsWithValues, quoted } from './command-tree.ts'

/** The script for `source <(quoin completion zsh)`, or for a file `_quoin` in a folder of `fpath`. */
export function zshScript(tree: CommandTree): string {
  const all = allCommands(tree)
  return `#compdef quoin
_quoin() {
  local at= word
  local -a names flags
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${at:+$at }$word" in
      ${all.flatMap(({ path }) => (path === '' ? [] : [quoted(path)])).join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${all.map(branch).join('\n')}
  esac
  case "$at \${words[CURRENT-1]}" in
${flagsWithValues(tree)
  .map(
    ({ path, name, values }) =>
      `    ${quoted(`${path} ${name}`)}) names=(${values.map(quoted).join(' ')}) ;;`,
  )
  .join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then
    _describe 'flag' flags
  elif (( $#names )); then
    _describe 'command' names
  else
    _files
  fi
}
if [[ $funcstack[1] == _quoin ]]; then
  _quoin "$@"
else
  compdef _quoin quoin
fi
`
}

function branch({ path, commands, words, flags }: CommandTree): string {
  const names = [...commands.map(entry), ...words.map(quoted)]
  return `    ${quoted(path)})
      names=(${names.join(' ')})
      flags=(${flags.map(entry).join(' ')}) ;;`
}

/** The text before the colon is completed, the text after it is shown. */
function entry({ name, description }: { readonly name: string; readonly description: string }): string {
  return quoted(`${name}:${description.replaceAll('\\', '\\\\').replaceAll(':', '\\:')}`)
}
