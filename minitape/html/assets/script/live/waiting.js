// The script of a page with a picture or a message that waits for the next page.

import { follow } from "./news.js";

follow(() => {});
