import { expect, test } from 'vitest'
import { watchClock } from '#server/jobs/clock-watch.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Returns what a watch says of readings, each with the minutes elapsed at it, and how often it told of a jump. */
function heard(...readings: [reading: number, minutes: number][]) {
  let jumps = 0
  const watch = watchClock(() => {
    jumps += 1
  })
  const said = readings.map(([reading, minutes]) => watch.isTrusted(reading, minutes * minuteMs))
  return { said, jumps }
}

test('a clock is trusted while it advances with the elapsed time, however rarely it is read', () => {
  expect(
    heard([0, 0], [minuteMs, 1], [3 * dayMs, 3 * 24 * 60], [3 * dayMs + hourMs / 2, 3 * 24 * 60]),
  ).toEqual({
    said: [true, true, true, true],
    jumps: 0,
  })
})

test('a clock that jumps is not trusted until it returns', () => {
  const ahead = 400 * dayMs
  expect(heard([0, 0], [ahead, 1], [ahead + minuteMs, 2], [3 * minuteMs, 3])).toEqual({
    said: [true, false, false, true],
    jumps: 1,
  })
  expect(heard([0, 0], [-ahead, 1], [2 * minuteMs, 2], [ahead, 3])).toEqual({
    said: [true, false, true, false],
    jumps: 2,
  })
})

test('a clock that keeps its new time is trusted after ten minutes', () => {
  const resumed = (minutes: number): [number, number] => [8 * hourMs + minutes * minuteMs, minutes]
  expect(heard([0, 0], resumed(1), resumed(10), resumed(11), resumed(12), resumed(13))).toEqual({
    said: [true, false, false, false, true, true],
    jumps: 1,
  })
})
