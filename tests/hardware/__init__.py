"""What a maker prints: drawings that OpenSCAD reads."""
