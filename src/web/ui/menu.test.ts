import { createElement } from 'react'
import { expect, test } from 'vitest'
import { Menu } from '#web/ui/menu.tsx'
import { repeatedKeys } from '../../../tests/support/repeated-keys.ts'

test('two items of a menu with the same label are told apart', () => {
  const item = { label: '28 nov. 2026, 11:05\u00a0: prêt' }
  const menu = createElement(Menu, {
    label: 'PDF',
    button: 'PDF',
    buttonClassName: '',
    items: [item, item],
  })
  expect(repeatedKeys(menu)).toEqual([])
})
