"""The service: config, referee desk, journal, web page, command line, doctor. It may import all others."""
