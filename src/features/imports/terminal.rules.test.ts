import { expect, test } from 'vitest'
import type { NameQuestion } from '#features/imports/report.contract.ts'
import { adviceOn } from '#features/imports/terminal.rules.ts'

test('an import by command says where similar names are decided', () => {
  const question: NameQuestion = { subject: 'market', name: 'Marché Gambella', rows: 8, candidates: [] }
  const told = (...questions: NameQuestion[]) => adviceOn({ currencies: [], read: 8, questions })
  expect(told(question)).toEqual([expect.stringMatching(/^1\snom .*page Imports/)])
  expect(told(question, question)).toEqual([expect.stringMatching(/^2\snoms /)])
  expect(told()).toEqual([])
})
