import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PreviewCurve } from '#features/alerts/ui/preview-curve.tsx'

test('a quote with no other within 14 days is drawn as a dot', () => {
  const points = ['2026-01-01', '2026-03-01', '2026-03-08'].map((date) => ({ date, value: 100 }))
  const drawn = renderToStaticMarkup(<PreviewCurve points={points} rings={[]} threshold={null} />)
  expect(drawn).toMatch(/d="M10\.0,[\d.]+h\.01M[\d.]+,[\d.]+L350\.0,[\d.]+"/)
})
