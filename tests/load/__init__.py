"""A real server under load: crowds, cut lines, slow readers, giants, and its end in the middle of it."""
