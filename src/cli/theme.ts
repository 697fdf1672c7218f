import { Command } from 'commander'
import { themeCheckCommand } from './theme-check.ts'
import { themeNewCommand } from './theme-new.ts'

export function themeCommand(): Command {
  return new Command('theme')
    .description('themes of your own')
    .addCommand(themeNewCommand())
    .addCommand(themeCheckCommand())
    .addHelpText('after', '\nExample:\n  quoin theme new mine\n')
}
