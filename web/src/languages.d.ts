// The languages and their texts, as ../locales.ts and ../markdown.ts make them from the folders of src/granada/locales.
declare module "virtual:languages" {
  /** A text, or several by the CLDR plural category of {n}. */
  type Message = string | (Partial<Record<Intl.LDMLPluralRule, string>> & { other: string });

  interface Language {
    /** The language's own name. */
    name: string;
    /** Whether nouns begin with a capital within a sentence. */
    capitalises_nouns?: boolean;
    /** Patterns of sounds that are dropped before others, and what is written instead. */
    elisions?: [string, string][];
    /** Long words of narrow columns, with hyphens where they may be broken. */
    hyphenation?: string[];
    /** The texts of the home page (../first_messages.ts). */
    messages: () => Promise<{ default: Record<string, Message> }>;
    /** Those of all other screens. */
    more: () => Promise<{ default: Record<string, Message> }>;
    rules: () => Promise<{ default: { id: string; title: string; picture: string | null; html: string }[] }>;
  }

  const FALLBACK: string;
  const LANGUAGES: Record<string, Language>;
}
