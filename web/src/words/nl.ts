import after from "$locales/nl/after.json";
import app from "$locales/nl/app.json";
import home from "$locales/nl/home.json";
import learn from "$locales/nl/learn.json";
import pad from "$locales/nl/pad.json";
import pieces from "$locales/nl/pieces.json";
import table from "$locales/nl/table.json";

export default { ...pieces, ...app, ...home, ...table, ...after, ...learn, ...pad };
