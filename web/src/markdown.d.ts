// Texts in Markdown, as ../markdown.ts hands them over: a list of chapters.
declare module "*.md" {
  const chapters: { id: string; title: string; picture: string | null; html: string }[];
  export default chapters;
}
