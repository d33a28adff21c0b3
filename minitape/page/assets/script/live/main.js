// The script of a page that a server shows while one edits: the page's own, and what follows the server.

import "../main.js";
import { keep, restore } from "./kept.js";
import { follow } from "./news.js";

restore();
follow(keep);
