// Whether the page is the frame of <granada-replay> in another page: it shows one game, and stores nothing.

import { pathIn } from "$lib/base";

export const isEmbedded = /^\/embed(?:\.html)?$/.test(pathIn(location.pathname) ?? "");
