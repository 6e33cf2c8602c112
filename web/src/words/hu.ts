import after from "$locales/hu/after.json";
import app from "$locales/hu/app.json";
import home from "$locales/hu/home.json";
import learn from "$locales/hu/learn.json";
import pad from "$locales/hu/pad.json";
import pieces from "$locales/hu/pieces.json";
import table from "$locales/hu/table.json";

export default { ...pieces, ...app, ...home, ...table, ...after, ...learn, ...pad };
