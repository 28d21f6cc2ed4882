const browsers: readonly [mark: RegExp, name: string][] = [
  [/Edg(A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: readonly [mark: RegExp, name: string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** Describes a browser by its User-Agent header: `Chrome sur Android`. */
export function deviceOf(userAgent: string | null): string {
  const nameIn = (names: typeof browsers) => names.find(([mark]) => mark.test(userAgent ?? ''))?.[1]
  const browser = nameIn(browsers)
  const system = nameIn(systems)
  if (!browser && !system) return 'Appareil inconnu'
  return [browser ?? 'Navigateur', system].filter(Boolean).join(' sur ')
}
