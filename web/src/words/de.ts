import after from "$locales/de/after.json";
import app from "$locales/de/app.json";
import home from "$locales/de/home.json";
import learn from "$locales/de/learn.json";
import pad from "$locales/de/pad.json";
import pieces from "$locales/de/pieces.json";
import table from "$locales/de/table.json";

export default { ...pieces, ...app, ...home, ...table, ...after, ...learn, ...pad };
