import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'
import { reachingTests } from './reaching-tests.mjs'

const FILES = {
  'src/limits/budget.ts': 'export const budget = 1\n',
  'src/http/answer.ts': "import { budget } from '../limits/budget.ts'\nexport const answer = budget\n",
  'src/http/lazy.ts': "export const lazy = () => import('./answer.ts')\n",
  'src/http/typed.ts':
    "import type { budget } from '../limits/budget.ts'\nexport type Budget = typeof budget\n",
  'test/http/answer.test.ts': "import {\n  answer,\n} from '../../src/http/answer.ts'\n",
  'test/http/lazy.test.ts': "import { lazy } from '../../src/http/lazy.ts'\n",
  'test/http/small-budgets.test.ts': "import { lazy } from '../../src/http/lazy.ts'\n",
  'test/http/typed.test.ts': "import type { Budget } from '../../src/http/typed.ts'\n",
  'test/limits/budget.test.ts': "import { budget } from '../../src/limits/budget.ts'\n",
  'test/limits/others.test.ts': "import { budget } from '../../src/limits/budget.ts'\n",
  'test/limits/flood.proof.ts': "import { budget } from '../../src/limits/budget.ts'\n",
}

test('the tests that import a file at run time are found, those of its name and folder first, then the nearest, and proofs last', async () => {
  const root = await temporaryFolder()
  await writeFiles(root, FILES)
  expect(reachingTests(root, Object.keys(FILES))('src/limits/budget.ts')).toEqual([
    'test/limits/budget.test.ts',
    'test/limits/others.test.ts',
    'test/http/small-budgets.test.ts',
    'test/http/answer.test.ts',
    'test/http/lazy.test.ts',
    'test/limits/flood.proof.ts',
  ])
})

test('a file that only types come from is reached by no test', async () => {
  const root = await temporaryFolder()
  await writeFiles(root, FILES)
  expect(reachingTests(root, Object.keys(FILES))('src/http/typed.ts')).toEqual([])
})
