import { Command } from 'commander'
import { themeCheckCommand } from './theme-check.ts'
import { themeNewCommand } from './theme-new.ts'

export function themeCommand(): Command {
  return new Command('theme')
    .description('create and check themes')
    .addCommand(themeNewCommand())
    .addCommand(themeCheckCommand())
    .addHelpText('after', '\nExample:\n  quoin theme new mine\n')
}
