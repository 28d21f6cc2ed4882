import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { FluidLine } from '#web/ui/charts/fluid-line.view.tsx'

const weeks = ['2026-01-05', '2026-01-12', '2026-01-19', '2026-06-01', '2026-06-08', '2026-06-15']
const pathsOf = (provisional: readonly string[] = []) => {
  const points = weeks.map((date, i) => ({ date, value: 100 + i, isProvisional: provisional.includes(date) }))
  const markup = renderToStaticMarkup(
    <FluidLine points={points} maxGapDays={7} formatValue={String} area className="min-h-40" />,
  )
  return [...markup.matchAll(/<path[^>]* d="([^"]*)"/g)].map(([path, d = '']) => ({
    points: d.split(/[ML]/).length - 1,
    isSurface: path.includes('opacity-15'),
    isDashed: path.includes('stroke-dasharray'),
  }))
}

test('a fluid line has gaps for months without a value, also in the area below it', () => {
  const [surface, ...lines] = pathsOf()
  expect(surface).toMatchObject({ isSurface: true, points: 6 })
  expect(lines).toEqual([
    { points: 3, isSurface: false, isDashed: false },
    { points: 3, isSurface: false, isDashed: false },
  ])
})

test('provisional figures are dashed, from the last settled point on', () => {
  const lines = pathsOf(['2026-06-15']).slice(1)
  expect(lines.map(({ points, isDashed }) => [points, isDashed])).toEqual([
    [3, false],
    [2, false],
    [2, true],
  ])
})
