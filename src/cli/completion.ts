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

/** @param program of which every command and flag is completed. */
export function completionCommand(program: Command): Command {
  return new Command('completion')
    .description('what makes a shell complete commands and flags')
    .addArgument(new Argument('<shell>', 'yours').choices(Object.keys(SHELLS)))
    .addHelpText(
      'after',
      `
In bash or zsh, say  source <(quoin completion bash)  in ~/.bashrc or ~/.zshrc;
in fish,  quoin completion fish | source  in ~/.config/fish/config.fish.

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
