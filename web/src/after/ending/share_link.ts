// Links to a position of a finished game: of the table, or with the record in them where others can't reach the table.

import { getText, type TableInfo } from "$lib/api";
import { href, isSite } from "$lib/base";
import { toFragment } from "$lib/record_link";

/** Whether anybody with its link may see the table. */
export function isReachable({ options }: TableInfo): boolean {
  return !isSite && options.spectators !== false;
}

/** A link that opens the replay after n actions. */
export async function linkTo(table: TableInfo, n: number): Promise<string> {
  if (isReachable(table)) return `${location.origin}${href(`/t/${table.id}/replay`)}?n=${n}`;
  const record = await getText(`/api/tables/${table.id}/record`);
  return `${location.origin}${href("/record")}?n=${n}${await toFragment(record)}`;
}
