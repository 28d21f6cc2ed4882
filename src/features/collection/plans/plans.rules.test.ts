import { expect, test } from 'vitest'
import { isOver } from '#features/collection/plans/plans.rules.ts'

test('a visit on a date is over the day after it, a weekly one after the Sunday of its week', () => {
  const days = ['2026-03-02', '2026-03-03', '2026-03-08', '2026-03-09']
  const overOn = (weekday: number | null) =>
    days.filter((today) => isOver({ weekday, dueOn: '2026-03-02' }, today))
  expect(overOn(null)).toEqual(['2026-03-03', '2026-03-08', '2026-03-09'])
  expect(overOn(1)).toEqual(['2026-03-09'])
})
