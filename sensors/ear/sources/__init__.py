"""Where samples come from: sound files, input devices, accelerometers of igloo nodes. Only this room opens devices."""
