"""The hall at run time: devices and their links, tables and who sits at them."""
