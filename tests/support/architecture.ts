// Checks a set of files against the rules of ARCHITECTURE.md; each violation is reported as a sentence.
import { brokenRule, featureOf, kindOf } from './import-rules.ts'
import { checkMoney } from './money-paths.ts'
import { checkSharedNames } from './names.ts'
import { checkNouns } from './nouns.ts'
import { type Facts, readFacts } from './source-facts.ts'

const longest = 400
const largestFeature = 6_000
const vocabulary =
  /^[a-z0-9-]+\.(addresses|contract|rules|sql|routes|jobs|gateway|enhance)\.ts$|^[a-z0-9-]+\.(admin|page|view)\.tsx$|\.test\.tsx?$/
const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)+$/
const emptyNames = /^(index|utils|util|helpers|helper|types|common|misc)\.[a-z]+$/
const looksOnce =
  /expect\(await .*\.(innerText|textContent|all(InnerTexts|TextContents)|inputValue|getAttribute|count|is[A-Z]\w+|title)\(/
const emptyFolders = /\/(hooks|services|helpers|utils|types|lib)\//

/** Returns every violation in `files` (path from the root → text), one sentence each. */
export function findViolations(files: ReadonlyMap<string, string>): string[] {
  const facts = new Map(
    [...files].filter(([path]) => isCode(path)).map(([path, text]) => [path, readFacts(path, text)]),
  )
  const all = [...facts.values()]
  return [
    ...[...files.keys()].flatMap(checkName),
    ...all.flatMap(checkShape),
    ...[...files].flatMap(([path, text]) => checkWaits(path, text)),
    ...[...files].flatMap(([path, text]) => checkDays(path, text)),
    ...[...files].flatMap(([path, text]) => checkMails(path, text)),
    ...[...files].flatMap(([path, text]) => checkLimits(path, text)),
    ...[...files].flatMap(([path, text]) => checkSpreads(path, text)),
    ...[...files].flatMap(([path, text]) => checkBrowsers(path, text)),
    ...[...files].flatMap(([path, text]) => checkPublicPage(path, text)),
    ...all.flatMap(checkImports),
    ...all.flatMap(checkReach),
    ...all.filter(({ path }) => kindOf(path) === 'view').flatMap((view) => checkPurity(view, facts)),
    ...checkFeatureSizes(all),
    ...checkSharedNames(all),
    ...all.flatMap(checkNouns),
    ...all.flatMap(checkMoney),
  ]
}

function checkName(path: string): string[] {
  const name = path.split('/').at(-1) ?? ''
  const broken: string[] = []
  if (!path.startsWith('src/')) return broken
  if (!kebab.test(name)) broken.push(`${path}: file names are kebab-case`)
  if (emptyNames.test(name) && !name.endsWith('.html')) {
    broken.push(`${path}: ${name} says nothing about what is inside; name it after its subject`)
  }
  if (emptyFolders.test(path))
    broken.push(`${path}: folders are named after a subject, not after a technique`)
  if (isCode(path) && kindOf(path) === undefined) broken.push(placeOf(path))
  if (featureOf(path) && isCode(path) && !path.includes('/ui/') && !vocabulary.test(name))
    broken.push(placeOf(path))
  return [...new Set(broken)]
}

function placeOf(path: string): string {
  if (!featureOf(path))
    return `${path}: src/ holds main/, features/, server/, web/, shared/ and demonstration/ only`
  return `${path}: a feature holds *.contract.ts, *.addresses.ts, *.rules.ts, *.sql.ts, *.routes.ts, *.jobs.ts, *.gateway.ts, *.enhance.ts, *.admin.tsx, *.page.tsx, *.view.tsx, tests, and ui/`
}

function checkShape({ path, lines, isGenerated, hasDefaultExport, isBarrel }: Facts): string[] {
  const broken: string[] = []
  if (lines > longest && !isGenerated) broken.push(`${path}: ${lines} lines; ${longest} is the end`)
  if (!path.startsWith('src/')) return broken
  if (hasDefaultExport) broken.push(`${path}: exports are named, none is the default`)
  if (isBarrel) broken.push(`${path}: it only passes on what others export; import from them instead`)
  return broken
}

// A check made once fails on a loaded machine, which shows the same content later than a quiet one.
function checkWaits(path: string, text: string): string[] {
  if (!path.endsWith('.e2e.ts')) return []
  const once = text.split('\n').filter((line) => looksOnce.test(line))
  return once.map((line) => `${path}: what a page shows is waited for (expect.poll): ${line.trim()}`)
}

/**
 * Refuses to read `outgoing_mail` in a test whose jobs send mails: a row of the queue is gone as soon as its mail is
 * sent.
 */
function checkMails(path: string, text: string): string[] {
  const sendsMails = /hasJobs: true|await payingServer\(/.test(text)
  if (!path.endsWith('.test.ts') || !sendsMails || !text.includes('outgoing_mail')) return []
  return [`${path}: jobs empty outgoing_mail while it is read; use tests/support/mails.ts`]
}

/** Refuses an object made only to be spread: its properties stand in the object that receives them, one per line. */
function checkSpreads(path: string, text: string): string[] {
  if (!/\.tsx?$/.test(path) || !/^\s+\.\.\.\{( |$)/m.test(text)) return []
  return [`${path}: properties are written one per line, not spread from an object made for it`]
}

/** Refuses a timeout of a single test, which a slow machine reaches; vitest.config.ts sets one for all tests. */
function checkLimits(path: string, text: string): string[] {
  if (!/\.(test|e2e)\.tsx?$/.test(path) || !/^ *\}, [\d_]+\)$|\btimeout: [\d_]+,?\s*\}, async/m.test(text))
    return []
  return [`${path}: a test has no time limit of its own: its waits end by themselves`]
}

/** Static methods of `URL`, refused in every file outside src/server. */
const recentMethods = /\bURL\.(canParse|parse)\(/
/** What the oldest browsers of the build's target (Chrome 119, Safari 16, Firefox 115) lack, and what replaces it. */
const recentInBrowsers: readonly [pattern: RegExp, instead: string][] = [
  [/\bAbortSignal\.any\(/, 'AbortSignal.any; use web/either-signal.ts'],
  [/DateTimeFormat\('(fr-CA|en-CA)'/, 'formats of few users; use dayIn of shared/days.ts'],
]
/** Safari before 16.4 cannot read it. */
const lookbehind = /\(\?<[=!]/

function checkBrowsers(path: string, text: string): string[] {
  if (!/^src\/(?!server\/)/.test(path)) return []
  const isOfServer = /\.(jobs|sql|routes|gateway|test)\.ts$/.test(path)
  const isShown = /^src\/(web|shared)\/|\/ui\/|\.tsx$/.test(path)
  return [
    ...(recentMethods.test(text) ? ['URL.canParse and URL.parse; use shared/parse-url.ts'] : []),
    ...recentInBrowsers
      .filter(([pattern]) => !isOfServer && pattern.test(text))
      .map(([, instead]) => instead),
    ...(!isOfServer && isShown && lookbehind.test(text) ? ['lookbehind in regular expressions'] : []),
  ].map((lacking) => `${path}: old browsers lack ${lacking}`)
}

/** The menus of a public page are popovers, which its enhancement adds to older browsers. */
function checkPublicPage(path: string, text: string): string[] {
  if (!path.endsWith('.view.tsx') || !text.includes('export function head')) return []
  if (!text.includes('<PublicLayout') || text.includes("'public-site'")) return []
  return [`${path}: the head of a page in PublicLayout names the enhancement public-site`]
}

/** A day computed in UTC: from 23:00 UTC on, it is yesterday in the markets' time zone. */
const dayOfNow = /new Date\((Date\.now\(\).*?)?\)\.toISOString\(\)\.(slice\(0, 10\)|split\()/

/** The UTC day of a stored instant: from 23:00 UTC on, it is yesterday in Kinshasa. */
const dayOfInstant = /(At|_at)\.slice\(0, 10\)/

function checkDays(path: string, text: string): string[] {
  if (kindOf(path) !== 'test')
    return dayOfInstant.test(text)
      ? [`${path}: the day of an instant is that of Kinshasa (dayInKinshasa)`]
      : []
  if (path.startsWith('bench/')) return []
  const broken = text.split('\n').filter((line) => dayOfNow.test(line))
  return broken.map((line) => `${path}: the day is that of the market (daysAgo): ${line.trim()}`)
}

function checkImports({ path, imports }: Facts): string[] {
  return imports.flatMap((each) => {
    const rule = brokenRule(path, each)
    return rule ? [`${path} imports ${each.target ?? each.specifier}: ${rule}`] : []
  })
}

function checkReach({ path, readsEnvironment, callsNetwork }: Facts): string[] {
  const kind = kindOf(path)
  if (kind === 'test') return []
  const broken: string[] = []
  if (readsEnvironment && path !== 'src/server/config.ts') {
    broken.push(`${path}: only server/config.ts reads process.env`)
  }
  if (callsNetwork && path !== 'src/web/api.ts' && kind !== 'server') {
    broken.push(`${path}: only web/api.ts calls fetch in the browser, and only server/ on the server`)
  }
  return broken
}

// A view is rendered on the server: neither the view nor any module it imports may need React state or a browser.
function checkPurity(view: Facts, facts: ReadonlyMap<string, Facts>): string[] {
  const seen = new Set<string>()
  const broken: string[] = []
  const visit = (path: string) => {
    const file = facts.get(path)
    if (!file || seen.has(path)) return
    seen.add(path)
    const [first] = file.impurities
    if (first) {
      const through = path === view.path ? '' : ` through ${path}`
      broken.push(`${view.path}: a view is pure, and this one uses ${first}${through}`)
    }
    for (const { target, isType } of file.imports) if (target && !isType) visit(target)
  }
  visit(view.path)
  return broken
}

// A feature longer than this covers two subjects and must be split.
function checkFeatureSizes(all: Facts[]): string[] {
  const sizes = new Map<string, number>()
  for (const { path, lines } of all) {
    const feature = featureOf(path)
    if (feature && kindOf(path) !== 'test') sizes.set(feature, (sizes.get(feature) ?? 0) + lines)
  }
  return [...sizes]
    .filter(([, lines]) => lines > largestFeature)
    .map(([feature, lines]) => `src/features/${feature}: ${lines} lines; ${largestFeature} is the end`)
}

function isCode(path: string): boolean {
  return /\.(ts|tsx|mjs)$/.test(path)
}
