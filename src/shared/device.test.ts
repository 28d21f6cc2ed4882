import { expect, test } from 'vitest'
import { deviceOf } from '#shared/device.ts'

test.each([
  [
    'Edge sur Android',
    'Mozilla/5.0 (Linux; Android 10; K) Chrome/124.0.0.0 Mobile Safari/537.36 EdgA/124.0.2478.64',
  ],
  [
    'Chrome sur iOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) CriOS/124.0 Mobile/15E148 Safari/604.1',
  ],
  [
    'Firefox sur iOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) FxiOS/125.0 Mobile Safari/605.1.15',
  ],
  ['Edge sur iOS', 'Mozilla/5.0 (iPad; CPU OS 17_4 like Mac OS X) Version/17.0 EdgiOS/124.0 Safari/605.1.15'],
  ['Safari sur iOS', 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) Version/17.4 Safari/604.1'],
  ['Chrome sur Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/124.0.0.0 Safari/537.36'],
  ['Appareil inconnu', null],
])('a browser is named as its user knows it: %s', (name, userAgent) => {
  expect(deviceOf(userAgent)).toBe(name)
})
