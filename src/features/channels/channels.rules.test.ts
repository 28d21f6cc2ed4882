import { expect, test } from 'vitest'
import { quietUntil } from '#features/channels/channels.rules.ts'
import { readAsked } from '#features/channels/receiving/receiving.rules.ts'

test.each([
  ['2026-11-26T19:59:59Z', null],
  ['2026-11-26T20:00:00Z', '2026-11-27T05:00:00.000Z'],
  ['2026-11-26T23:30:00Z', '2026-11-27T05:00:00.000Z'],
  ['2026-12-31T22:00:00Z', '2027-01-01T05:00:00.000Z'],
  ['2026-11-27T04:59:59Z', '2026-11-27T05:00:00.000Z'],
  ['2026-11-27T05:00:00Z', null],
])('at %s the quiet hours of Kinshasa end at %s', (at, end) => {
  expect(quietUntil(new Date(at))?.toISOString() ?? null).toBe(end)
})

test.each([
  'stop',
  '/stop',
  'Stop.',
  'STOP\u202f!',
  'stop svp',
  'Arrêtez',
  'ARRÊT',
  'STOP ALERTES',
  '/stop@ntalo_bot',
  'me désabonner',
])('« %s » asks to stop', (text) => expect(readAsked(text)).toEqual({ kind: 'stop' }))

test.each(['riz goma', 'prix du riz, stop ou encore à Goma', '/riz', '@stop', 'stopwatch'])(
  '« %s » asks for a price',
  (text) => expect(readAsked(text).kind).toBe('search'),
)
