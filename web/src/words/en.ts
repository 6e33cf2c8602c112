import after from "$locales/en/after.json";
import app from "$locales/en/app.json";
import home from "$locales/en/home.json";
import learn from "$locales/en/learn.json";
import pad from "$locales/en/pad.json";
import pieces from "$locales/en/pieces.json";
import table from "$locales/en/table.json";

export default { ...pieces, ...app, ...home, ...table, ...after, ...learn, ...pad };
