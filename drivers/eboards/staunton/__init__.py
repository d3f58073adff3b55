"""House of Staunton boards and the Tap'n Set clock, over USB HID."""
