import { expect, test } from 'vitest'
import { collectedDetails } from '#features/users/agents/collected/ui/collected.tsx'

test('the share of an agent’s prices that were corrected is shown in percent, without a sign', () => {
  const work = { collected7: 2, collected30: 4, marketsCovered: 1, lastPrice: null, isSilent: false }
  const shown = (correctedShare: number | null) =>
    collectedDetails({ ...work, correctedShare }).find(({ label }) => label === 'Corrigés depuis')?.value
  expect(shown(0.5)).toMatch(/^50,0\s%$/)
  expect(shown(null)).toBe('N/A')
})
