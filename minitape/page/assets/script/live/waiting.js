// The script of a page that holds a picture or a word, and waits for the next one.

import { follow } from "./news.js";

follow(() => {});
