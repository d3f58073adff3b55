"""What is plugged in, and what it is.

    usb.py      the devices on the bus, their serial numbers, hub ports and nodes
    probe.py    which family answers on a port, and who it says it is
    survey.py   all of it together: one value for each board found, with what is wrong
    watch.py    when to look again

Nothing is written to a port without a USB id of a known family.
"""
