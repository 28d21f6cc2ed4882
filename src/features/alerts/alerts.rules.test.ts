import { expect, test } from 'vitest'
import { conditionText, sentenceOf } from '#features/alerts/alerts.rules.ts'
import type { Condition } from '#features/alerts/judging/judging.rules.ts'

test('a silence of one day is in the singular', () => {
  const silence = (threshold: number): Condition => ({
    kind: 'silence',
    direction: 'above',
    threshold,
    periodDays: 30,
  })
  const quote = { id: 1, day: '2026-03-01', cdf: 2000, log: Math.log(2000) }
  const place = {
    product: { name: 'Riz', weight: '1 kg' },
    market: { name: 'Virunga', location: 'Goma' },
  }
  const said = (threshold: number) =>
    sentenceOf(silence(threshold), { day: '2026-03-03', quote, measure: 2, quotes: 1 }, place)
  expect(conditionText(silence(1))).toBe('aucun relevé depuis plus de 1\u00a0jour')
  expect(conditionText(silence(2))).toBe('aucun relevé depuis plus de 2\u00a0jours')
  expect(said(1)).toContain('votre seuil est de 1\u00a0jour\u202f;')
  expect(said(14)).toContain('votre seuil est de 14\u00a0jours\u202f;')
})
