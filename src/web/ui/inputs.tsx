import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { ambiguityOf, readAmount } from '#shared/amounts.ts'
import { formatNumber, groupTyped } from '#web/format.ts'
import { Field, type FieldProps } from '#web/ui/field.tsx'

type Native<Tag extends 'input' | 'textarea'> = FieldProps & Omit<ComponentProps<Tag>, keyof FieldProps>

/** A one-line text field of any `type`: text, e-mail, phone number. Spread `register('name')` into it. */
export function TextField({ label, hint, error, required, hideLabel, className, ...rest }: Native<'input'>) {
  return (
    <Field {...{ label, hint, error, required, hideLabel, className }}>
      {(control) => <input type="text" {...rest} {...control} />}
    </Field>
  )
}

/**
 * An amount typed as text, right-aligned, with its unit inside the frame and its thousands grouped while typing; an
 * amount with a separator is shown below as it is understood. Not a number field, which on a phone in English drops the
 * comma of « 23,5 » and reads 235.
 */
export function AmountField(props: Native<'input'> & { unit?: string }) {
  const { label, hint, error, required, hideLabel, className, unit, onChange, ...rest } = props
  const [typed, setTyped] = useState('')
  // What the error says already is not repeated.
  const isAsked = error !== undefined && error === ambiguityOf(typed)
  const reading = isAsked ? null : readingOf(typed, unit)
  return (
    <Field {...{ label, error, required, hideLabel, className }} hint={reading ?? hint}>
      {(control) => (
        <span className="relative block">
          <input
            type="text"
            inputMode="decimal"
            autoComplete="off"
            {...rest}
            {...control}
            onChange={(event) => {
              regroup(event.currentTarget)
              setTyped(event.currentTarget.value)
              return onChange?.(event)
            }}
            className={`${control.className} text-right ${unit ? 'pr-12' : ''}`}
          />
          {unit && (
            <span className="pointer-events-none absolute inset-y-0 right-3 flex items-center text-ink-soft">
              {unit}
            </span>
          )}
        </span>
      )}
    </Field>
  )
}

/** Returns « Lu : 2 500,50 FC », or the message for an ambiguous amount; null for an amount without a separator. */
function readingOf(typed: string, unit = ''): string | null {
  const reading = /[.,'’]/.test(typed) ? readAmount(typed) : null
  if (!reading) return null
  if (reading.plain === null) return `${ambiguityOf(typed)}.`
  return `Lu\u00a0: ${formatNumber(Number(reading.plain), 6)} ${unit}`.trim()
}

/** Groups the thousands of the typed amount, and keeps the cursor after the same digit. */
function regroup(input: HTMLInputElement): void {
  const { value, selectionStart } = input
  const grouped = groupTyped(value)
  if (grouped === value) return
  const isBlank = (letter: string | undefined) => letter !== undefined && /\s/.test(letter)
  let before = [...value.slice(0, selectionStart ?? value.length)].filter((letter) => !isBlank(letter)).length
  input.value = grouped
  let place = 0
  while (place < grouped.length && before > 0) {
    if (!isBlank(grouped[place])) before -= 1
    place += 1
  }
  input.setSelectionRange(place, place)
}

/** A day field with the browser's own calendar. */
export function DateField({ label, hint, error, required, hideLabel, className, ...rest }: Native<'input'>) {
  return (
    <Field {...{ label, hint, error, required, hideLabel, className }}>
      {(control) => <input type="date" {...rest} {...control} />}
    </Field>
  )
}

/** A field of several lines of text. */
export function TextareaField({
  label,
  hint,
  error,
  required,
  hideLabel,
  className,
  ...rest
}: Native<'textarea'>) {
  return (
    <Field {...{ label, hint, error, required, hideLabel, className }}>
      {(control) => (
        <textarea
          rows={3}
          {...rest}
          {...control}
          className={control.className.replace('h-control', 'min-h-24 py-2')}
        />
      )}
    </Field>
  )
}

/** A password field with a button that shows the password. */
export function PasswordField({
  label,
  hint,
  error,
  required,
  hideLabel,
  className,
  ...rest
}: Native<'input'>) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <Field {...{ label, hint, error, required, hideLabel, className }}>
      {(control) => (
        <span className="relative block">
          <input
            autoComplete="current-password"
            {...rest}
            {...control}
            type={shown ? 'text' : 'password'}
            className={`${control.className} pr-12`}
          />
          <button
            type="button"
            aria-label={shown ? 'Masquer le mot de passe' : 'Afficher le mot de passe'}
            onClick={() => setShown(!shown)}
            className="absolute inset-y-0 right-0 flex size-control items-center justify-center rounded-md text-ink-soft hover:text-ink"
          >
            <Icon className="size-4.5" aria-hidden />
          </button>
        </span>
      )}
    </Field>
  )
}

type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & { label: string; hint?: string }

/** A checkbox; the whole line can be tapped. */
export function Checkbox({ label, hint, className = '', ...rest }: CheckboxProps) {
  return (
    <label className={`flex min-h-11 items-center gap-3 py-1 ${className}`}>
      <input type="checkbox" className="size-4.5 shrink-0" {...rest} />
      <span>
        <span className="block">{label}</span>
        {hint && <span className="block text-xs text-ink-soft">{hint}</span>}
      </span>
    </label>
  )
}
