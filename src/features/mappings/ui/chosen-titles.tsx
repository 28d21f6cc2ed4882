import { Checkbox } from '#web/ui/inputs.tsx'

type ChosenTitlesProps = {
  label: string
  titles: readonly string[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** The choice of the columns that hold prices, when titles name a value such as the market. */
export function ChosenTitles({ label, titles, chosen, onChange }: ChosenTitlesProps) {
  return (
    <fieldset className="max-h-60 space-y-1 overflow-y-auto rounded-md border border-line p-3">
      <legend className="sr-only">{label}</legend>
      {titles.map((title) => (
        <Checkbox
          key={title}
          label={title}
          checked={chosen.includes(title)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(titles.filter((each) => (each === title ? checked : chosen.includes(each))))
          }
        />
      ))}
    </fieldset>
  )
}
