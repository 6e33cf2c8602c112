import after from "$locales/fr/after.json";
import app from "$locales/fr/app.json";
import home from "$locales/fr/home.json";
import learn from "$locales/fr/learn.json";
import pad from "$locales/fr/pad.json";
import pieces from "$locales/fr/pieces.json";
import table from "$locales/fr/table.json";

export default { ...pieces, ...app, ...home, ...table, ...after, ...learn, ...pad };
