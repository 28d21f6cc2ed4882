import { expect, test } from 'vitest'
import type { NameQuestion } from '#features/imports/report.contract.ts'
import { adviceOn, reportText } from '#features/imports/terminal.rules.ts'

test('an import by command says where similar names are decided', () => {
  const question: NameQuestion = { subject: 'market', name: 'Marché Gambella', rows: 8, candidates: [] }
  const told = (...questions: NameQuestion[]) => adviceOn({ currencies: [], read: 8, questions })
  expect(told(question)).toEqual([expect.stringMatching(/^1\snom .*page Imports/)])
  expect(told(question, question)).toEqual([expect.stringMatching(/^2\snoms /)])
  expect(told()).toEqual([])
})

test('the report of an import by command has a no-break space before each colon', () => {
  const example = { line: 4, text: '' }
  const text = reportText({
    fileName: 'prix.csv',
    isDryRun: true,
    read: 3,
    added: 1,
    existing: 0,
    revised: 0,
    withdrawn: 0,
    rejected: 2,
    notes: [],
    questions: [],
    currencies: [],
    errors: [],
    reasons: [
      { message: 'Prix manquant.', count: 1, example },
      { message: 'Date inconnue.', count: 2, example },
    ],
    created: { markets: 1, categories: 0, types: 0, brands: 0, products: 0 },
    names: { markets: ['Virunga'], categories: [], types: [], brands: [], products: [] },
  })
  expect(text.match(/.:/g)).toHaveLength(6)
  expect(text).not.toMatch(/[^\u00a0]:/)
})
