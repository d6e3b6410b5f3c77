"""Where samples come from: sound files, input devices, accelerometers of igloo nodes. Devices are opened here alone."""
