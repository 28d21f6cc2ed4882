import { expect, test } from 'vitest'
import { story } from '../support/browser.ts'
import { faultsOf } from '../support/browser-checks.ts'

const { open } = await story()

test('on an empty platform the landing page draws what is marked « Exemple », and breaks no rule of accessibility', async () => {
  const page = await open('/')
  await page.getByText('Exemple', { exact: true }).first().waitFor()
  expect(await faultsOf(page)).toEqual([])
})
