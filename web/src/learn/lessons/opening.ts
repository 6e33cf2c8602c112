// The table of a lesson: a real one, which goes on from a position of a record.

import { post, postText, put, type Message } from "$lib/api";
import { isSite } from "$lib/base";
import { loadStored } from "$lib/storage";
import { recordAt, type Lesson } from "./lessons";

/** What can stand in a record. */
const NAME = /^[^,\p{Cc}]{1,40}$/u;

/** Open a table where the reader sits on the first seat, and bots on the others. */
export async function openPosition(lesson: Lesson, at: number): Promise<string> {
  const { table } = await postText<Message>("/records", await recordAt(lesson, at));
  if (isSite) await (await import("../../device/backup")).setAside(table.id);
  const [own = "", ...others] = table.seats.map(({ name }) => name);
  const wanted = loadStored("name", "");
  const isFree = NAME.test(wanted) && !others.includes(wanted);
  await put(`/tables/${table.id}/seats/1`, { kind: "person", name: isFree ? wanted : own });
  for (const [i, name] of others.entries())
    await put(`/tables/${table.id}/seats/${i + 2}`, { kind: "bot", name, level: "random" });
  await post(`/tables/${table.id}/start`);
  return table.id;
}
