import { Argument, Command } from 'commander'
import { bashScript } from './completion/bash.ts'
import { type CommandTree, treeOf } from './completion/command-tree.ts'
import { fishScript } from './completion/fish.ts'
import { zshScript } from './completion/zsh.ts'
import { builtInThemes } from './theme-flags.ts'

const SHELLS: Readonly<Record<string, (tree: CommandTree) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** @param program the program whose commands and flags are completed. */
export function completionCommand(program: Command): Command {
  return new Command('completion')
    .description('print a script that completes commands and flags in a shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(SHELLS)))
    .addHelpText(
      'after',
      `
bash:  add  source <(quoin completion bash)  to ~/.bashrc
zsh:   add  source <(quoin completion zsh)  to ~/.zshrc
fish:  add  quoin completion fish | source  to ~/.config/fish/config.fish

Example:
  source <(quoin completion zsh)
`,
    )
    .action(async (shell: string) => {
      const themes = await builtInThemes()
      const tree = treeOf(program, { '--theme': themes, '--extends': themes })
      process.stdout.write(SHELLS[shell]?.(tree) ?? '')
    })
}
