import { ChevronDown, X } from 'lucide-react'
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { type ControlProps, Field, type FieldProps } from '#web/ui/field.tsx'
import { OptionList, optionId } from '#web/ui/option-list.tsx'
import { placeNear } from '#web/ui/place-near.ts'
import { type Option, type SearchOptions, useOptions } from '#web/ui/use-options.ts'

type ChoiceProps = {
  value: Option | null
  onChange: (option: Option | null) => void
  /** All the options, filtered in the browser; exactly one of `options` and `search` is given. */
  options?: readonly Option[]
  /** Called while the user types, where there are too many options to load. */
  search?: SearchOptions
  placeholder?: string
  disabled?: boolean
  /** Called on Escape, where it should close more than the list. */
  onEscape?: () => void
}

/** A choice among too many options for a select: the user types a few letters, with or without accents. */
export function Combobox({
  value,
  onChange,
  options,
  search,
  placeholder,
  disabled,
  onEscape,
  ...field
}: FieldProps & ChoiceProps) {
  return (
    <Field {...field}>
      {(control) => (
        <Control
          {...{ value, onChange, options, search, placeholder, disabled, onEscape, control }}
          label={field.label}
        />
      )}
    </Field>
  )
}

function Control(props: ChoiceProps & { control: ControlProps; label: string }) {
  const { value, onChange, options, search, placeholder = 'Rechercher…', disabled, control, label } = props
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  // Null when nothing is being typed: the box shows the chosen option.
  const [typed, setTyped] = useState<string | null>(null)
  const [active, setActive] = useState(0)
  const state = useOptions(open, typed ?? '', options, search)
  const chosen = state.options[Math.min(active, state.options.length - 1)]

  usePopup(open, input, popup)

  const show = (text: string | null = typed) => {
    setTyped(text)
    const selected = text === null ? state.options.findIndex((option) => option.value === value?.value) : 0
    setActive(Math.max(0, selected))
    setOpen(true)
  }
  const close = () => {
    setOpen(false)
    setTyped(null)
  }
  const choose = (option: Option | null) => {
    close()
    input.current?.focus()
    // Called last, because it may move the focus to the next field.
    onChange(option)
  }
  const leave = () => {
    // Emptying the box chooses no option.
    if (typed === '' && value) onChange(null)
    close()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && open) {
      // Closes the list without closing the dialog around it.
      event.preventDefault()
      event.stopPropagation()
      close()
      props.onEscape?.()
    } else if (event.key === 'Enter' && open) {
      event.preventDefault()
      if (chosen && state.status !== 'loading') choose(chosen)
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!open) return show()
      const step = event.key === 'ArrowDown' ? 1 : -1
      const count = Math.max(1, state.options.length)
      setActive((Math.min(active, count - 1) + step + count) % count)
    }
  }

  return (
    <span className="relative block">
      <input
        {...control}
        ref={input}
        type="text"
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        placeholder={placeholder}
        aria-expanded={open}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={open && chosen ? optionId(listId, state.options.indexOf(chosen)) : undefined}
        className={`${control.className} truncate ${value && !control.required ? 'pr-18' : 'pr-10'}`}
        value={typed ?? value?.label ?? ''}
        onChange={(event) => show(event.currentTarget.value)}
        onClick={() => !open && show()}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={leave}
        onKeyDown={onKeyDown}
      />
      <ChevronDown
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-ink-soft"
        aria-hidden
      />
      {value && !control.required && !disabled && (
        <button
          type="button"
          aria-label={`Effacer : ${label}`}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => choose(null)}
          className="absolute inset-y-0 right-8 flex w-9 items-center justify-center rounded-md text-ink-soft hover:text-ink"
        >
          <X className="size-4" aria-hidden />
        </button>
      )}
      <OptionList
        ref={popup}
        id={listId}
        label={label}
        open={open}
        state={state}
        active={chosen}
        selected={value}
        onChoose={choose}
      />
    </span>
  )
}

/**
 * Opens the list in the top layer, above dialogs, with the width of its box, and keeps it in position during scrolling.
 */
function usePopup(
  open: boolean,
  input: React.RefObject<HTMLInputElement | null>,
  popup: React.RefObject<HTMLDivElement | null>,
) {
  useLayoutEffect(() => {
    const [box, list] = [input.current, popup.current]
    if (!open || !box || !list) return
    const place = () => {
      list.style.width = `${box.offsetWidth}px`
      placeNear(box, list)
    }
    list.showPopover()
    place()
    const observer = new ResizeObserver(place)
    observer.observe(list)
    window.addEventListener('scroll', place, true)
    window.addEventListener('resize', place)
    return () => {
      observer.disconnect()
      window.removeEventListener('scroll', place, true)
      window.removeEventListener('resize', place)
      list.hidePopover()
    }
  }, [open, input, popup])
}
