import type { ComponentProps } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import type { RoundItem } from '#features/collection/phone/phone.rules.ts'
import type { GoodDock } from '#features/collection/phone/ui/good-dock.tsx'
import { moneyText } from '#shared/money.ts'
import { phoneStorage } from '../../../../../tests/support/phone-storage.ts'

const item: RoundItem = {
  productId: 1,
  name: 'Ciment',
  weight: '50kg',
  quotesWanted: 1,
  key: '1-0',
  turn: 0,
  isBlind: false,
  lastPrice: { value: 12, currency: 'USD', day: '2026-03-01' },
  usual: null,
  absence: null,
}

beforeEach(() => {
  vi.resetModules()
  phoneStorage().start()
})

afterAll(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

async function shown(said: Partial<ComponentProps<typeof GoodDock>>): Promise<string> {
  const { GoodDock: Dock } = await import('#features/collection/phone/ui/good-dock.tsx')
  return renderToStaticMarkup(
    <Dock {...{ item, entry: undefined, typed: '', chosen: undefined, onUndo: null, ...said }} />,
  )
}

test('a price is in the currency of the last one, or in francs, until the agent chooses the other', async () => {
  const inDollars = await shown({ typed: '25' })
  expect(inDollars).toContain(`OK, ${moneyText(25, 'USD')}`)
  expect(inDollars).toMatch(/aria-pressed="false">FC<.*aria-pressed="true">\$US</)
  const inFrancs = await shown({ typed: '25', chosen: 'CDF' })
  expect(inFrancs).toContain(`OK, ${moneyText(25, 'CDF')}`)
  expect(inFrancs).toMatch(/aria-pressed="true">FC<.*aria-pressed="false">\$US</)
  const never = { ...item, lastPrice: null }
  expect(await shown({ item: never, typed: '25' })).toContain(`OK, ${moneyText(25, 'CDF')}`)
  expect(await shown({ item: never, typed: '25', chosen: 'USD' })).toContain(`OK, ${moneyText(25, 'USD')}`)
})

test('an unchanged price keeps its currency, and prices near it are offered in no other', async () => {
  expect(await shown({})).toContain('class="near"')
  const inFrancs = await shown({ chosen: 'CDF' })
  expect(inFrancs).toContain(`<strong>${moneyText(12, 'USD')}</strong> inchangé`)
  expect(inFrancs).not.toContain('class="near"')
})
