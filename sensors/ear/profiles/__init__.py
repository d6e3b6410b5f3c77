"""What the ear learned about one kind of sensor, and its file: JSON that cannot execute anything."""
