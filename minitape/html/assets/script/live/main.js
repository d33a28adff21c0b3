// The script of a page that a server updates while the user edits: the page's own script, and the connection to the server.

import "../main.js";
import { keep, restore } from "./restore.js";
import { follow } from "./news.js";

restore();
follow(keep);
